#!/usr/bin/env bash
# The modules of LK's, NuttX's and Zephyr's builds choose the port for the CPU that each of these builds names,
# and each is a folder of port/arch.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work/make"

failures=0
# expect KERNEL CPU PORT FOUND
expect() {
  [[ $4 == "$3" && -e $source/port/arch/$3/barefxt_port.h ]] || {
    echo "FAILED: $1 on $2: the port should be '$3', and is '$4'"
    failures=$((failures + 1))
  }
}

# ---- LK: as much of its make as the module's rules ask for ----
cat >"$work/Makefile" <<'END_MAKE'
GET_LOCAL_DIR = $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
include $(BAREFXT)/port/rtos/lk/rules.mk
END_MAKE
cat >"$work/make/module.mk" <<'END_MAKE'
.PHONY: port
port: ; @echo $(notdir $(BAREFXT_PORT_DIR))
END_MAKE
lk() { # VARIABLE...
  make -s --no-print-directory -C "$work" BAREFXT="$source" CC=cc "$@" port
}
expect LK arm64 aarch64 "$(lk ARCH=arm64)"
expect LK cortex-m0 armv6m "$(lk ARCH=arm SUBARCH=arm-m ARM_CPU=cortex-m0)"
expect LK cortex-m0plus armv6m "$(lk ARCH=arm SUBARCH=arm-m ARM_CPU=cortex-m0plus)"
expect LK cortex-m3 armv7m "$(lk ARCH=arm SUBARCH=arm-m ARM_CPU=cortex-m3)"
expect LK cortex-m33 armv7m "$(lk ARCH=arm SUBARCH=arm-m ARM_CPU=cortex-m33)"
expect LK cortex-a15 armv7a "$(lk ARCH=arm ARM_CPU=cortex-a15)"
expect LK riscv riscv "$(lk ARCH=riscv SUBARCH=64 RISCV_MODE=machine)"
expect LK x86 x86_64 "$(lk ARCH=x86 SUBARCH=x86-64)"
expect LK m68k m68k "$(lk ARCH=m68k)"
expect LK "a port that was named" armv7m "$(lk ARCH=arm64 BAREFXT_PORT=armv7m)"
if lk ARCH=arm64 BAREFXT_PORT=z80 >"$work/log" 2>&1 || ! grep -q 'no barefxt_port.h for BAREFXT_PORT=z80' "$work/log"; then
  echo "FAILED: LK takes a port that there is not:"
  cat "$work/log"
  failures=$((failures + 1))
fi

# ---- NuttX and Zephyr: the first default of BAREFXT_PORT whose condition holds ----
# kconfig FILE SYMBOL...: with these symbols set.
kconfig() {
  local file=$1
  shift
  awk -v symbols=" $* " '
    $1 == "config" { inside = $2 == "BAREFXT_PORT" }
    !inside || $1 != "default" || found { next }
    {
      holds = NF == 2
      for (i = 4; i <= NF; ++i) if (index(symbols, " " $i " ")) holds = 1
      for (i = 5; i <= NF; i += 2) if ($i != "||") { print "not understood: " $0; exit }
      if (holds) { gsub("\"", "", $2); print $2; found = 1 }
    }' "$file"
}
nuttx() { kconfig "$source/port/rtos/nuttx/Kconfig" "$@"; }
expect NuttX Cortex-M0 armv6m "$(nuttx ARCH_ARM ARCH_CORTEXM0 ARCH_ARMV6M)"
expect NuttX Cortex-M4 armv7m "$(nuttx ARCH_ARM ARCH_CORTEXM4 ARCH_ARMV7M)"
expect NuttX Cortex-M33 armv7m "$(nuttx ARCH_ARM ARCH_CORTEXM33 ARCH_ARMV8M)"
expect NuttX Cortex-A7 armv7a "$(nuttx ARCH_ARM ARCH_CORTEXA7 ARCH_ARMV7A)"
expect NuttX Cortex-A53 aarch64 "$(nuttx ARCH_ARM64)"
expect NuttX RISC-V riscv "$(nuttx ARCH_RISCV)"
expect NuttX x86-64 x86_64 "$(nuttx ARCH_X86_64)"
zephyr() { kconfig "$source/port/rtos/zephyr/Kconfig" "$@"; }
expect Zephyr Cortex-M0 armv6m "$(zephyr ARM CPU_CORTEX_M CPU_CORTEX_M0 ARMV6_M_ARMV8_M_BASELINE)"
expect Zephyr Cortex-M0+ armv6m "$(zephyr ARM CPU_CORTEX_M CPU_CORTEX_M0PLUS ARMV6_M_ARMV8_M_BASELINE)"
expect Zephyr Cortex-M1 armv6m "$(zephyr ARM CPU_CORTEX_M CPU_CORTEX_M1 ARMV6_M_ARMV8_M_BASELINE)"
expect Zephyr Cortex-M33 armv7m "$(zephyr ARM CPU_CORTEX_M CPU_CORTEX_M33)"
expect Zephyr Cortex-A9 armv7a "$(zephyr ARM CPU_AARCH32_CORTEX_A)"
expect Zephyr Cortex-A53 aarch64 "$(zephyr ARM64)"
expect Zephyr RISC-V riscv "$(zephyr RISCV)"
expect Zephyr x86-64 x86_64 "$(zephyr X86 X86_64)"

# ---- x86-64 with several CPUs: the number is where GS leads, and the assembler of sleds, which takes it elsewhere, is left out ----

if [[ $(uname -m) == x86_64 ]]; then
  cat >"$work/gs.c" <<'END'
#include <asm/prctl.h>
#include <barefxt_port.h>
#include <sys/syscall.h>
#include <unistd.h>

__asm__(".globl barefxt_zephyr_tss_cpu, barefxt_zephyr_cpu_id\nbarefxt_zephyr_tss_cpu = 104\nbarefxt_zephyr_cpu_id = 40");
static uint8_t cpu[64];
static void* segment[16];

int main(void) {
  cpu[40] = 3;
  cpu[41] = 0xff;
  segment[13] = cpu;
  if (syscall(SYS_arch_prctl, ARCH_SET_GS, segment) != 0) return 100;
  return (int)barefxt_port_cpu();
}
END
  zephyr_cpu=(-I"$source/port/arch/x86_64" -I"$source/port/rtos/zephyr" -I"$source/runtime/include" -I"$source/runtime/src"
    '-DBAREFXT_X86_64_HEADER=<barefxt_zephyr_cpu.h>')
  gcc -O2 -no-pie -fno-pie "${zephyr_cpu[@]}" "$work/gs.c" -o "$work/gs"
  number=0
  "$work/gs" || number=$?
  ((number == 3)) || {
    echo "FAILED: Zephyr on x86-64: CPU 3 has number $number"
    failures=$((failures + 1))
  }
  for option in BAREFXT_X86_64_CPU_OFFSET=0 BAREFXT_X86_64_CPU=1 "${zephyr_cpu[4]#-D}"; do
    gcc -DBAREFXT_FUNCTIONS=1 -DBAREFXT_MAX_CPUS=2 "${zephyr_cpu[@]:0:4}" "-D$option" -c "$source/runtime/src/sleds/x86_64.S" -o "$work/sleds.o"
    found=$(objdump -d "$work/sleds.o" | grep -c rdtscp || true)
    [[ $option == *OFFSET* ]] && has=1 || has=0
    ((found > 0 == has)) || {
      echo "FAILED: sleds with $option read the time $found times"
      failures=$((failures + 1))
    }
  done
fi
((failures == 0))
