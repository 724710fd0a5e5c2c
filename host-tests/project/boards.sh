#!/usr/bin/env bash
# On boards that the test kernel has no port to, in QEMU: the smallest image records by the counter that the board's
# owner names, dumps over the board's own UART, and the host reads that without a fault.
set -euo pipefail
source=$1 work=$2 build=$3 board=$4
here=$source/host-tests/project/boards
rm -rf "$work"
mkdir -p "$work"

result=0
fail() {
  echo "FAILED: $*"
  result=1
}

# run NAME PORT COMPILER... -- QEMU...: NAME.json is what was recorded; or, if `refusal` names an error, that is
# what the start returns.
refusal=
run() {
  local name=$1 port=$2 c=() options=() code steps linker serial
  shift 2
  while [[ $1 != -- ]]; do c+=("$1") && shift; done
  shift
  options=(-O2 -Wall -Wextra -Werror -ffreestanding -fno-pic -DBAREFXT_MAX_THREADS=16 -DBAREFXT_SNAPSHOTS=0 -DBAREFXT_SEGMENT_BYTES=1024
    -I"$source/runtime/include" -I"$source/runtime/src"
    -I"$source/port/arch/$port" -I"$here" -I"$here/$board")
  for code in cmsdk nrf pl011 semihosting sifive stm32; do options+=(-I"$source/port/transport/$code"); done
  [[ ${c[*]} == *BAREFXT_MAX_CPUS=* ]] || c+=(-DBAREFXT_MAX_CPUS=1)
  local cxx=("${c[@]}")
  [[ ${c[0]} != *gcc ]] || cxx[0]=${c[0]%gcc}g++
  [[ -e $work/$port-runtime.cpp ]] || printf '#include "%s"\n' "$source"/runtime/src/*.cpp >"$work/$port-runtime.cpp"
  "${c[@]}" "${options[@]}" -c "$start" -o "$work/start.o"
  "${c[@]}" "${options[@]}" -c "$here/$kernel" -o "$work/kernel.o"
  "${cxx[@]}" "${options[@]}" -std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics -nostdinc++ -ffunction-sections \
    -fdata-sections -fno-unroll-loops -c "$work/$port-runtime.cpp" -o "$work/runtime.o"
  linker=-lgcc
  [[ ${c[0]} != clang* ]] || linker=-fuse-ld=lld
  "${c[@]}" -nostdlib -static -Wl,--build-id=none,-z,noexecstack,--gc-sections -L "$source/linker" -T "$script" \
    "$work"/{start,kernel,runtime}.o "$linker" "${libraries[@]}" -o "$work/$name.elf"
  serial=$work/$name.raw code=0
  (cd "$work" && timeout 300 "$@" -display none -monitor none -serial "file:$serial" \
    -semihosting-config enable=on,target=native -kernel "$work/$name.elf") </dev/null || code=$?
  if [[ -n $refusal ]]; then
    ((code == 1)) || fail "$name: the image ends with status $code, rather than 1"
    "$build/barefxt" doctor "$serial" >"$work/$name.doctor" || true
    grep -q "barefxt_start returned $refusal" "$work/$name.doctor" || { cat "$work/$name.doctor" && fail "$name: no $refusal"; }
    return
  fi
  ((code == 0)) || { fail "$name: the image ends with status $code" && return; }
  "$build/barefxt" doctor "$work/$name.raw" >"$work/$name.doctor" || true
  grep -q '^no fault found$' "$work/$name.doctor" || { cat "$work/$name.doctor" && fail "$name: the doctor finds a fault"; }
  "$build/barefxt" rebuild "$work/$name.raw" -o "$work/$name.fxt" >"$work/$name.log"
  "$build/barefxt" lint "$work/$name.fxt" || fail "$name: lint finds a fault"
  "$build/barefxt" print --json "$work/$name.fxt" >"$work/$name.json"
  [[ $kernel == kernel.c ]] || return 0
  steps=$(grep -c '"name":"step"' "$work/$name.json" || true)
  ((steps == 10)) || fail "$name: $steps steps, rather than 10"
}
# lasts NAME FROM TO: that many microseconds lie between the first step and the last.
lasts() {
  local took
  [[ -e $work/$1.json ]] || return 0
  took=$(sed -n 's/.*"ticks_per_second":\([0-9]*\).*/rate \1/p; s/.*"timestamp":\([0-9]*\).*"name":"step".*/step \1/p' "$work/$1.json" |
    awk '$1 == "rate" { rate = $2; next } !seen++ { first = $2 } { last = $2 } END { printf "%d", (last - first) * 1e6 / rate }')
  ((took >= $2 && took <= $3)) || fail "$1: the steps last $took us, rather than $2 to $3"
}

# refused NAME TEXT COMPILER...: the runtime does not compile, and the compiler prints that.
refused() {
  local name=$1 text=$2
  shift 2
  if "$@" -I"$source/runtime/include" -I"$source/runtime/src" -ffreestanding -fno-exceptions -fno-rtti -std=c++17 -fsyntax-only \
    "$source/runtime/src/session.cpp" 2>"$work/errors" || ! grep -qF "$text" "$work/errors"; then
    cat "$work/errors"
    fail "$name: the compiler should say '$text'"
  fi
}
# refuses_cores COMPILER...: with a second core the hooks of no kernel compile. Nor do they if the port counts CPUs, but the
# runtime holds one.
refuses_cores() {
  local kernel text options
  for kernel in freertos threadx nuttx zephyr; do
    for text in 'more cores than the port holds' 'more cores than BAREFXT_MAX_CPUS' ''; do
      options=(-DBAREFXT_MAX_CPUS=2 -DBAREFXT_ARMV7M_CPU_NUMBER=0x5001f000 -DBAREFXT_ARMV7M_SHAREABLE=1)
      case $text in
      *port*) options=(-DBAREFXT_MAX_CPUS=2) ;;
      *MAX*) options[0]=-DBAREFXT_MAX_CPUS=1 ;;
      esac
      "$@" -I"$source/runtime/include" -I"$source/port/rtos/$kernel" -I"$source/host-tests/rtos/$kernel" -I"$source/host-tests/rtos" \
        -ffreestanding -fsyntax-only -DconfigNUMBER_OF_CORES=2 -DTX_THREAD_SMP_MAX_CORES=2 -DCONFIG_SMP=1 -DCONFIG_SMP_NCPUS=2 \
        -DCONFIG_MP_MAX_NUM_CPUS=2 "${options[@]}" "$source/port/rtos/$kernel/barefxt_$kernel.c" >"$work/errors" 2>&1 || true
      if [[ -n $text ]]; then
        grep -qF "$text" "$work/errors" || fail "$kernel: the compiler should say '$text'"
      elif grep -q 'more cores' "$work/errors"; then
        fail "$kernel: two cores are refused, and the port has two"
      fi
    done
  done
}
# lacks NAME OBJDUMP INSTRUCTIONS: the image has no instruction that begins so.
lacks() {
  local found
  "$2" -d "$work/$1.elf" >"$work/code"
  found=$(grep -m 3 -E "[[:space:]]($3)" "$work/code" || true)
  [[ -z $found ]] || fail "$1: $found"
}

libraries=() kernel=kernel.c script=$here/$board/image.ld
# With code at 0 and variables at 0x20000000.
[[ -e $script ]] || script=$source/host-tests/project/image/armv7m/image.ld
case $board in
sifive_e)
  start=$here/sifive_e/start.S
  # An instruction takes 64 ns.
  qemu=(qemu-system-riscv32 -M sifive_e -icount 'shift=6,sleep=off')
  gcc=(riscv64-unknown-elf-gcc -mabi=ilp32 -mcmodel=medlow -mstrict-align)
  clang=(clang-19 --target=riscv32-none-elf -mabi=ilp32 -mcmodel=medlow -mstrict-align)
  mtime=(-DBAREFXT_RISCV_MTIME=0x200bff8 -DBAREFXT_RISCV_FREQUENCY=10000000)
  vendor=(-DBAREFXT_RISCV_COUNTER='counter_of_vendor()' -DBAREFXT_RISCV_HEADER='"counter.h"' -DBAREFXT_RISCV_FREQUENCY=10000000)
  # The steps wait for 9 times 2000 instructions.
  run mtime riscv "${gcc[@]}" -march=rv32imac_zicsr "${mtime[@]}" -- "${qemu[@]}"
  lasts mtime 1152 1350
  run cycles riscv "${gcc[@]}" -march=rv32imc_zicsr -DBAREFXT_RISCV_COUNTER_CSR=mcycle -DBAREFXT_RISCV_FREQUENCY=1000000000 \
    -- "${qemu[@]}"
  lasts cycles 1152 1350
  lacks cycles riscv64-unknown-elf-objdump 'lr\.|sc\.|amo'
  run zaamo riscv "${clang[@]}" -march=rv32imc_zicsr_zaamo "${mtime[@]}" -DBAREFXT_RISCV_COUNTER_BITS=32 -- "${qemu[@]}"
  lasts zaamo 1152 1350
  lacks zaamo llvm-objdump-19 'lr\.|sc\.'
  run zalrsc riscv "${clang[@]}" -march=rv32imc_zicsr_zalrsc "${vendor[@]}" -DBAREFXT_RISCV_COUNTER_BITS=32 -- "${qemu[@]}"
  lasts zalrsc 1152 1350
  lacks zalrsc llvm-objdump-19 amo

  includes=(-I"$source/port/arch/riscv" -I"$here/sifive_e")
  refused "no rate" BAREFXT_RISCV_FREQUENCY riscv64-unknown-elf-g++ -march=rv32imac_zicsr -mabi=ilp32 "${includes[@]}"
  refused "two CPUs without atomics" 'BAREFXT_MAX_CPUS is 1' riscv64-unknown-elf-g++ -march=rv32imc_zicsr -mabi=ilp32 \
    "${includes[@]}" "${mtime[@]}" -DBAREFXT_MAX_CPUS=2
  refused "two CPUs without exclusive stores" 'BAREFXT_MAX_CPUS is 1' clang++-19 --target=riscv32-none-elf -mabi=ilp32 \
    -march=rv32imc_zicsr_zaamo "${includes[@]}" "${mtime[@]}" -DBAREFXT_MAX_CPUS=2
  ;;

netduinoplus2)
  start=$source/host-tests/project/image/cortex_m.S
  qemu=(qemu-system-arm -M netduinoplus2 -icount 'shift=6,sleep=off')
  gcc=(arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -mfloat-abi=soft -mno-unaligned-access -DBAREFXT_ARMV7M_COUNTER=0x40000024
    -DBAREFXT_ARMV7M_FREQUENCY=1000000)
  # The steps wait for 9 times 300,000 instructions.
  run tim2 armv7m "${gcc[@]}" -- "${qemu[@]}"
  lasts tim2 172800 173500
  # Which a counter of 16 bits wraps in twice.
  run short armv7m "${gcc[@]}" -DBAREFXT_ARMV7M_COUNTER_BITS=16 -- "${qemu[@]}"
  lasts short 172800 173500
  ;;

mps2-an500)
  start=$source/host-tests/project/image/cortex_m.S
  qemu=(qemu-system-arm -M mps2-an500 -icount 'shift=6,sleep=off')
  gcc=(arm-none-eabi-gcc -mthumb -mcpu=cortex-m7 -mfloat-abi=soft -mno-unaligned-access -DBAREFXT_ARMV7M_FREQUENCY=25000000)
  model=(-DBAREFXT_ARMV7M_DWT=0x20100000 -DBAREFXT_ARMV7M_DEMCR=0x20100dfc)
  # Each of 9 waits takes 2 ms by the board's timer, or 5 ms of the kernel's ticks.
  run dwt armv7m "${gcc[@]}" "${model[@]}" -DDWT -- "${qemu[@]}"
  lasts dwt 18000 18200
  refusal=BAREFXT_ERROR_COUNTER_STOPPED
  run dwt-off armv7m "${gcc[@]}" "${model[@]}" -DDWT_OFF -- "${qemu[@]}"
  # And DWT where QEMU has none: it reads as zero.
  run dwt-missing armv7m "${gcc[@]}" -DDWT_MISSING -- "${qemu[@]}"
  refusal=
  run systick armv7m "${gcc[@]}" -DBAREFXT_ARMV7M_SYSTICK_PERIOD=25000 -- "${qemu[@]}"
  lasts systick 44000 46000
  ;;

mps2-an521)
  start=$source/host-tests/project/image/cortex_m.S kernel=two_cpus.c
  qemu=(qemu-system-arm -M mps2-an521 -icount 'shift=6,sleep=off')
  two=(-mthumb -mfloat-abi=soft -DBAREFXT_MAX_CPUS=2 -DBAREFXT_ARMV6M_CPU_NUMBER=0x5001f000
    -DBAREFXT_ARMV6M_COUNTER=0x50000004 -DBAREFXT_ARMV6M_COUNTER_BITS=32 -DBAREFXT_ARMV6M_COUNTS_DOWN=1
    -DBAREFXT_ARMV6M_FREQUENCY=20000000)
  lock=(-DBAREFXT_ARMV6M_HEADER='"lock.h"' -DBAREFXT_ARMV6M_TRY_LOCK='lock_try()' -DBAREFXT_ARMV6M_UNLOCK='lock_release()')
  gcc=(arm-none-eabi-gcc -mcpu=cortex-m0plus "${two[@]}")
  run two armv6m "${gcc[@]}" "${lock[@]}" -- "${qemu[@]}"
  lacks two arm-none-eabi-objdump 'ldrex|strex|ldaex|stlex'
  run nmi armv6m "${gcc[@]}" "${lock[@]}" -DNMI -- "${qemu[@]}"
  libraries=("$(arm-none-eabi-gcc -mthumb -mcpu=cortex-m0plus -print-libgcc-file-name)")
  run clang armv6m clang-19 --target=armv6m-none-eabi -mcpu=cortex-m0plus "${two[@]}" "${lock[@]}" -- "${qemu[@]}"
  libraries=()

  # With exclusives: by their own monitors, or refused.
  with=(arm-none-eabi-gcc -mthumb -mcpu=cortex-m33+nodsp -mfloat-abi=soft -mno-unaligned-access -DBAREFXT_MAX_CPUS=2
    -DBAREFXT_ARMV7M_CPU_NUMBER=0x5001f000 -DBAREFXT_ARMV7M_COUNTER=0x50000004 -DBAREFXT_ARMV7M_COUNTS_DOWN=1
    -DBAREFXT_ARMV7M_FREQUENCY=20000000)
  run shared armv7m "${with[@]}" -DBAREFXT_ARMV7M_HEADER='"lock.h"' -DBAREFXT_ARMV7M_ACTLR='&lock_control' -- "${qemu[@]}"
  refusal=BAREFXT_ERROR_STORES_NOT_SHARED
  run unshared armv7m "${with[@]}" -- "${qemu[@]}"
  refusal=

  includes=(-I"$source/port/arch/armv6m" -I"$here/mps2-an521")
  refused "two CPUs without a lock" 'BAREFXT_MAX_CPUS is 1' "${gcc[@]/%gcc/g++}" "${includes[@]}"
  refused "two CPUs with a SysTick each" 'each CPU has its own SysTick' arm-none-eabi-g++ -mthumb -mcpu=cortex-m0plus \
    -DBAREFXT_ARMV6M_FREQUENCY=1 -DBAREFXT_ARMV6M_CPU_NUMBER=0x5001f000 "${lock[@]}" -DBAREFXT_MAX_CPUS=2 "${includes[@]}"
  refuses_cores arm-none-eabi-gcc -mthumb -mcpu=cortex-m33 -I"$source/port/arch/armv7m" -DBAREFXT_ARMV7M_FREQUENCY=1 \
    -DBAREFXT_ARMV7M_COUNTER=0x50000004
  ;;

microbit)
  start=$source/host-tests/project/image/cortex_m.S
  qemu=(qemu-system-arm -M microbit -icount 'shift=6,sleep=off')
  run systick armv6m arm-none-eabi-gcc -mthumb -mcpu=cortex-m0 -mfloat-abi=soft -DBAREFXT_ARMV6M_FREQUENCY=16000000 \
    -DBAREFXT_ARMV6M_SYSTICK_PERIOD=16000 -- "${qemu[@]}"
  lasts systick 44000 46000
  ;;

aarch64-virt | armv7a-virt)
  board=arm-virt
  if [[ $4 == aarch64-virt ]]; then
    arch=aarch64 P=BAREFXT_AARCH64 qemu=(qemu-system-aarch64 -M virt -cpu cortex-a57)
    gcc=(aarch64-linux-gnu-gcc -mgeneral-regs-only -mstrict-align -mno-outline-atomics)
  else
    arch=armv7a P=BAREFXT_ARMV7A qemu=(qemu-system-arm -M virt -cpu cortex-a15)
    gcc=(arm-none-eabi-gcc -marm -march=armv7ve -mfloat-abi=soft -mgeneral-regs-only -mno-unaligned-access)
  fi
  start=$source/host-tests/project/image/$arch/start.S script=$source/host-tests/project/image/$arch/image.ld
  qemu+=(-m 128 -icount 'shift=6,sleep=off')
  owner=("-D${P}_HEADER=\"owner.h\"")
  # The steps wait for 9 times 2000 instructions of 64 ns. Half of the rate makes twice the time.
  run physical "$arch" "${gcc[@]}" "-D${P}_PHYSICAL_COUNTER=1" "-D${P}_FREQUENCY=31250000" -- "${qemu[@]}"
  lasts physical 2304 2800
  lacks physical "${gcc[0]%gcc}objdump" 'cntvct|mrrc[[:space:]]+15, 1,'
  run faulty "$arch" "${gcc[@]}" "${owner[@]}" "-D${P}_COUNTER_READ=owner_faulty_counter()" "-D${P}_COUNTER_TWICE=256" -- "${qemu[@]}"
  lasts faulty 1152 1400
  run edges "$arch" "${gcc[@]}" "${owner[@]}" "-D${P}_COUNTER_READ=owner_counter_with_edges()" "-D${P}_COUNTER_TWICE=256" \
    "-D${P}_COUNTER_EDGE=9" -- "${qemu[@]}"
  lasts edges 1152 1400
  refusal=BAREFXT_ERROR_CPU_NUMBER
  run cpu "$arch" "${gcc[@]}" "${owner[@]}" "-D${P}_CPU=owner_cpu()" -DBAREFXT_MAX_CPUS=2 -- "${qemu[@]}"

  # Trampolines of sleds read what the port reads, or leave it to C++.
  if [[ $arch == aarch64 ]]; then
    sled_reads() { # COUNTERS OPTION...
      local counters=$1 found
      shift
      "${gcc[0]}" -DBAREFXT_FUNCTIONS=1 "$@" -I"$source/runtime/include" -I"$source/runtime/src" -I"$source/port/arch/aarch64" \
        -c "$source/runtime/src/sleds/aarch64.S" -o "$work/sleds.o"
      aarch64-linux-gnu-objdump -d "$work/sleds.o" >"$work/code"
      found=$(sed -n 's/.*\(cnt[pv]ct\)_el0.*/\1/p' "$work/code" | sort -u | tr '\n' ' ')
      [[ $found == "$counters" ]] || fail "sleds with $*: they read '$found', rather than '$counters'"
    }
    sled_reads 'cntvct '
    sled_reads 'cntpct ' -DBAREFXT_AARCH64_PHYSICAL_COUNTER=1
    sled_reads '' -DBAREFXT_AARCH64_COUNTER_TWICE=32
    sled_reads '' -DBAREFXT_AARCH64_COUNTER_READ=1
    sled_reads '' -DBAREFXT_AARCH64_CPU=1
  fi
  ;;
esac
exit "$result"
