#!/usr/bin/env bash
# With BAREFXT_DISABLED nothing is left of a probe, also at -O0: a file with every probe, and the same file
# without a word of them, compile to the same object, as C and as C++, by each compiler.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work"

levels=(O0 O2)
[[ ${BAREFXT_FULL:-0} != 1 ]] || levels+=(Os)
failures=0
# same NAME LANGUAGE COMPILER...
same() {
  local name=$1 language=$2 level how
  shift 2
  for level in "${levels[@]}"; do
    for how in WITH WITHOUT; do
      "$@" -x "$language" "-$level" -Wall -Wextra -Werror -ffreestanding -DBAREFXT_DISABLED=1 "-D$how" \
        -I "$source/runtime/include" -I "$port" -c -o "$work/$how.o" - <"$source/host-tests/project/disabled/probes.c"
    done
    cmp "$work/WITH.o" "$work/WITHOUT.o" || {
      echo "FAILED: $name, $language, -$level: disabled probes leave something behind"
      failures=$((failures + 1))
    }
  done
  # The comparison sees probes where they are not disabled.
  "$@" -x "$language" -O0 -ffreestanding -I "$source/runtime/include" -I "$port" -c -o "$work/enabled.o" \
    - <"$source/host-tests/project/disabled/probes.c"
  ! cmp -s "$work/enabled.o" "$work/WITHOUT.o" || {
    echo "FAILED: $name, $language: probes that are not disabled leave nothing behind"
    failures=$((failures + 1))
  }
}

counter=(-DBAREFXT_ARMV7M_FREQUENCY=1)
for language in c c++; do
  [[ $language == c ]] && standard=-std=gnu99 || standard=-std=c++17
  port=$source/port/arch/host
  same gcc "$language" gcc "$standard" -fno-pic
  same clang "$language" clang-19 "$standard" -fno-pic
  port=$source/port/arch/aarch64
  same aarch64-gcc "$language" aarch64-linux-gnu-gcc "$standard" -fno-pic -mgeneral-regs-only
  same aarch64-clang "$language" clang-19 --target=aarch64-none-elf "$standard" -mgeneral-regs-only
  port=$source/port/arch/riscv
  same riscv-gcc "$language" riscv64-unknown-elf-gcc "$standard" -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany
  same riscv-clang "$language" clang-19 --target=riscv32-none-elf "$standard" -march=rv32imac_zicsr
  port=$source/port/arch/m68k
  same m68k-gcc "$language" m68k-linux-gnu-gcc "$standard" -mcpu=68040 -fno-pic
  port=$source/port/arch/armv6m
  same cortex-m0 "$language" arm-none-eabi-gcc "$standard" -mcpu=cortex-m0 -mthumb -DBAREFXT_ARMV6M_FREQUENCY=1 \
    -DBAREFXT_MAX_CPUS=1
  port=$source/port/arch/x86_64
  same x86-clang "$language" clang-19 --target=x86_64-none-elf "$standard" -mno-red-zone -mgeneral-regs-only
  port=$source/port/arch/armv7m
  same arm-gcc "$language" arm-none-eabi-gcc "$standard" -mcpu=cortex-m3 -mthumb "${counter[@]}"
  same arm-clang "$language" clang-19 --target=armv7m-none-eabi "$standard" "${counter[@]}"
done
((failures == 0))
