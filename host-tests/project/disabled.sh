#!/usr/bin/env bash
# With BAREFXT_DISABLED nothing is left of a probe, even at -O0. A file with every probe, and the same file without
# probes, compile to the same object, as C and as C++, by each compiler. The same holds of calls of every function
# of the API, with optimization, and of an image with all files of the runtime in it.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work"

levels=(O0 O2)
[[ ${BAREFXT_FULL:-0} != 1 ]] || levels+=(Os)
failures=0
# same NAME LANGUAGE COMPILER...
same() {
  local name=$1 language=$2 level how what
  shift 2
  for level in "${levels[@]}"; do
    for what in probes calls; do
      [[ $what-$level != calls-O0 ]] || continue
      for how in WITH WITHOUT; do
        "$@" -x "$language" "-$level" -Wall -Wextra -Werror -ffreestanding -DBAREFXT_DISABLED=1 "-D$how" \
          -I "$source/runtime/include" -I "$port" -c -o "$work/$how.o" - <"$source/host-tests/project/disabled/$what.c"
      done
      cmp "$work/WITH.o" "$work/WITHOUT.o" || {
        echo "FAILED: $name, $language, -$level: disabled $what leave something behind"
        failures=$((failures + 1))
      }
    done
  done
  # The comparison sees probes where they are not disabled.
  "$@" -x "$language" -O0 -ffreestanding -I "$source/runtime/include" -I "$port" -c -o "$work/enabled.o" \
    - <"$source/host-tests/project/disabled/probes.c"
  ! cmp -s "$work/enabled.o" "$work/WITHOUT.o" || {
    echo "FAILED: $name, $language: probes that are not disabled leave nothing behind"
    failures=$((failures + 1))
  }
}

counter=(-DBAREFXT_ARMV7M_FREQUENCY=1 -DBAREFXT_RISCV_FREQUENCY=1)
for language in c c++; do
  [[ $language == c ]] && standard=-std=gnu99 || standard=-std=c++17
  port=$source/port/arch/host
  same gcc "$language" gcc "$standard" -fno-pic
  same clang "$language" clang-19 "$standard" -fno-pic
  port=$source/port/arch/aarch64
  same aarch64-gcc "$language" aarch64-linux-gnu-gcc "$standard" -fno-pic -mgeneral-regs-only
  same aarch64-clang "$language" clang-19 --target=aarch64-none-elf "$standard" -mgeneral-regs-only
  port=$source/port/arch/riscv
  same riscv-gcc "$language" riscv64-unknown-elf-gcc "$standard" -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany \
    "${counter[@]}"
  same riscv-clang "$language" clang-19 --target=riscv32-none-elf "$standard" -march=rv32imac_zicsr "${counter[@]}"
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

# Each function of the headers is called in calls.c, except the deprecated name barefxt_functions.
echo '#include <barefxt/barefxt.h>' |
  gcc -std=gnu99 -E -P -I "$source/runtime/include" -I "$source/port/arch/host" -DBAREFXT_WAY_BACK=1 -DBAREFXT_FUNCTIONS=1 -x c - |
  grep -o -E '\bbarefxt_[a-z0-9_]+\(' | tr -d '(' | sort -u |
  grep -v -E '^barefxt_((port|probe|write|host|arg)_.*|argument_make|text_words|text_interned|value_does_not_fit|whole_frames_write|functions)$' \
    >"$work/functions"
(($(wc -l <"$work/functions") > 60)) || {
  echo "FAILED: only $(wc -l <"$work/functions") functions: the headers were not read as they should be"
  failures=$((failures + 1))
}
while read -r function; do
  grep -q "\b$function(" "$source/host-tests/project/disabled/calls.c" || {
    echo "FAILED: disabled/calls.c does not call $function"
    failures=$((failures + 1))
  }
done <"$work/functions"

# Images of the application and the whole runtime, none of whose sections the linker drops.
awk -v folders="$source/runtime/include" -f "$source/toolchain/amalgamate.awk" \
  "$source/runtime/include/barefxt/barefxt.h" >"$work/barefxt.h"
awk -v folders="$source/runtime/include:$source/runtime/src" -v ahead=barefxt/barefxt.h \
  -f "$source/toolchain/amalgamate.awk" "$source"/runtime/src/*.cpp >"$work/barefxt.cpp"
image() { # NAME OPTION...
  local name=$1
  shift
  arm-none-eabi-g++ -std=c++17 -Os -mcpu=cortex-m3 -mthumb -ffreestanding -fno-exceptions -fno-rtti \
    -fno-tree-loop-distribute-patterns -DBAREFXT_ARMV7M_FREQUENCY=1 -DBAREFXT_WAY_BACK=1 "$@" -I "$work" \
    -I "$source/runtime/include" -I "$source/port/arch/armv7m" -nostdlib -static -Wl,--build-id=none \
    -L "$source/linker" -T "$source/qemu-tests/flash/image.ld" -Wl,-e,application_begin -o "$work/$name" \
    "$source/host-tests/project/disabled/calls.c" "$work/barefxt.cpp"
}
# Flash, that is code, constants and what variables begin with; and RAM.
bytes() { arm-none-eabi-size -A "$1" | awk '$1 == ".text" || $1 == ".rodata" || $1 == ".data" { flash += $2 }
  $1 == ".data" || $1 == ".bss" { ram += $2 } END { print flash + 0, ram + 0 }'; }
image without -DBAREFXT_DISABLED=1 -DWITHOUT
image disabled -DBAREFXT_DISABLED=1
[[ $(bytes "$work/disabled") == "$(bytes "$work/without")" ]] || {
  echo "FAILED: flash and RAM with disabled calls: $(bytes "$work/disabled"); without: $(bytes "$work/without")"
  failures=$((failures + 1))
}
# The comparison sees the runtime where it is not disabled.
image enabled -DBAREFXT_FUNCTIONS=1 -DBAREFXT_RETAINED=1 -Wl,--unresolved-symbols=ignore-all
read -r flash ram <<<"$(bytes "$work/enabled")"
((flash > 8000 && ram > 16000)) || {
  echo "FAILED: an image with tracing has $flash bytes of flash, and $ram of RAM"
  failures=$((failures + 1))
}
((failures == 0))
