#!/usr/bin/env bash
# Applications and tests of the real Zephyr's own, traced on BOARD: the trace has what the image counted by itself
# (kernels/zephyr_tests). With the kernel in BAREFXT_ZEPHYR_DIR, and in BAREFXT_ZEPHYR_MODULES, separated by semicolons, the modules
# that boards with a Cortex-M take (cmsis or cmsis_6, hal_nordic). Skipped without them. BAREFXT_ZEPHYR_KEEP is a folder for the captures.
set -euo pipefail
source=$1 work=$2 build=$3 board=$4
kernel=${BAREFXT_ZEPHYR_DIR:-}
[[ -e $kernel/Kconfig.zephyr ]] || {
  echo "SKIPPED: BAREFXT_ZEPHYR_DIR is not the folder of Zephyr"
  exit 77
}
[[ $board != *cortex_m* || -n ${BAREFXT_ZEPHYR_MODULES:-} ]] || {
  echo "SKIPPED: BAREFXT_ZEPHYR_MODULES names no modules of Zephyr's, such as cmsis, for $board"
  exit 77
}
rm -rf "$work"
mkdir -p "$work"
here=$source/host-tests/project/kernels
# shellcheck source=host-tests/project/kernels/zephyr/tools.sh
. "$here/zephyr/tools.sh"
tools "$work" "$board" "$kernel"

# traced NAME APPLICATION BYTES OPTION...: the application, with rings of that many bytes. `options` are barefxt's, `configuration` is
# more of Zephyr's, and `emulator` more of QEMU's.
traced() {
  local name=$1 application=$2 bytes=$3 out=$work/$1 elf=$work/$1/build/zephyr/zephyr.elf machine=() pid
  shift 3
  mkdir -p "$out"
  printf '%s\n' "$(cpp_option "$kernel")" CONFIG_TRACING=y CONFIG_TRACING_USER=y CONFIG_THREAD_NAME=y CONFIG_BAREFXT=y CONFIG_SIZE_OPTIMIZATIONS=y \
    "CONFIG_BAREFXT_OPTIONS=\"$options\"" "${configuration[@]}" >"$out/counts.conf"
  {
    cmake -S "$kernel/$application" -B "$out/build" -G Ninja -DBOARD="$(board_option "$kernel" "$board")" -DBUILD_VERSION=x -DCOUNTS_BYTES="$bytes" \
      -DZEPHYR_MODULES="$source;$here/zephyr_tests;${BAREFXT_ZEPHYR_MODULES:-}" -DPython3_EXECUTABLE=/usr/bin/python3 \
      -DUSER_CACHE_DIR="$work/cache" -DOVERLAY_CONFIG="$out/counts.conf" "$@" && cmake --build "$out/build" -j 2
  } >"$out/log" 2>&1 || {
    tail -n 40 "$out/log"
    echo "FAILED: $board: $application does not build"
    exit 1
  }
  case $board in
  qemu_riscv32) machine=(qemu-system-riscv32 -machine virt -bios none -m 256 -icount shift=6 -kernel "$elf") ;;
  qemu_riscv64_smp) machine=(qemu-system-riscv64 -machine virt -bios none -m 256 -smp 2 -kernel "$elf") ;;
  qemu_cortex_m0) machine=(qemu-system-arm -machine microbit -icount shift=6 -kernel "$elf") ;;
  qemu_cortex_m3) machine=(qemu-system-arm -machine lm3s6965evb -icount shift=6 -kernel "$elf") ;;
  qemu_cortex_a53_smp) machine=(qemu-system-aarch64 -cpu cortex-a53 -machine 'virt,gic-version=3' -smp 2 -kernel "$elf") ;;
  qemu_x86_64)
    # The loader takes 32-bit code alone, as in the kernel's cmake/emu/qemu.cmake. RDTSCP needs this CPU.
    "${CROSS_COMPILE}objcopy" -O elf32-i386 -j .locore "$elf" "$out/locore.elf"
    "${CROSS_COMPILE}objcopy" -R .locore "$elf" "$out/main.elf"
    machine=(qemu-system-x86_64 -m 32 -cpu max -machine q35 -no-reboot -no-acpi -smp 2 -kernel "$out/locore.elf" -device "loader,file=$out/main.elf")
    ;;
  esac
  # Applications do not end.
  timeout 120 "${machine[@]}" "${emulator[@]}" -display none -monitor none -net none -serial "file:$out/trace.raw" 2>"$out/qemu" &
  pid=$!
  while kill -0 $pid 2>/dev/null && ! tail -c 20 "$out/trace.raw" 2>/dev/null | grep -a '^dumped' >/dev/null; do sleep 0.2; done
  kill $pid 2>/dev/null || true
  wait $pid || true
  "$build/barefxt" rebuild "$out/trace.raw" -o "$out/trace.fxt"
  "$build/barefxt" lint "$out/trace.fxt"
  "$build/barefxt" doctor "$out/trace.raw"
  "$build/barefxt" stats "$out/trace.fxt" >"$out/stats"
  "$here/zephyr_tests/compare.sh" "$build/barefxt" "$out/trace.raw" "$out/trace.fxt" "$out/stats" || {
    echo "FAILED: $board: $name"
    exit 1
  }
  # The test itself has passed.
  ! grep -aE '^ FAIL |PROJECT EXECUTION FAILED' "$out/trace.raw" || {
    echo "FAILED: $board: $name does not pass"
    exit 1
  }
  [[ -z ${BAREFXT_ZEPHYR_KEEP:-} ]] || gzip -9nc "$out/trace.raw" >"$BAREFXT_ZEPHYR_KEEP/$board-$name.raw.gz"
}

options='' configuration=() emulator=()
# Tests that keep the second CPU busy fail beyond this, and this machine may have other work.
patience=CONFIG_ZTEST_CPU_HOLD_TIME_MS=60000
case $board in
qemu_cortex_m0)
  # The micro:bit's own 16 KiB of RAM.
  options="BAREFXT_SMALL=2 BAREFXT_DUMP_FORMS=2 BAREFXT_MAX_THREADS=16 BAREFXT_SEGMENT_BYTES=1024 BAREFXT_ZEPHYR_THREADS=8 BAREFXT_ZEPHYR_OBJECTS=4"
  configuration=(CONFIG_MAIN_STACK_SIZE=1024 CONFIG_IDLE_STACK_SIZE=1024 CONFIG_ISR_STACK_SIZE=1536 CONFIG_SYSTEM_WORKQUEUE_STACK_SIZE=1024)
  traced synchronization samples/synchronization 2048 -DCOUNTS_MILLISECONDS=3000
  # With more, for applications that fit no micro:bit.
  options='' configuration=() emulator=(-global nrf51-soc.sram-size=262144)
  echo '&sram0 { reg = <0x20000000 DT_SIZE_K(256)>; };' >"$work/roomy.overlay"
  traced philosophers samples/philosophers 65536 -DCOUNTS_MILLISECONDS=2000 -DDTC_OVERLAY_FILE="$work/roomy.overlay"
  traced mutex tests/kernel/mutex/mutex_api 65536 -DDTC_OVERLAY_FILE="$work/roomy.overlay"
  ;;
qemu_x86_64)
  traced synchronization samples/synchronization 65536 -DCOUNTS_MILLISECONDS=1000
  configuration=("$patience")
  traced semaphore tests/kernel/semaphore/semaphore 1000000
  traced queue tests/kernel/msgq/msgq_api 262144
  ;;
qemu_riscv32)
  traced schedule tests/kernel/sched/schedule_api 262144
  traced timer tests/kernel/timer/timer_api 262144
  ;;
qemu_cortex_m3) traced synchronization samples/synchronization 16384 -DCOUNTS_MILLISECONDS=5000 ;;
*)
  # User mode on RISC-V needs a compiler with thread-local storage.
  configuration=("$patience")
  [[ $board != qemu_riscv64_smp ]] || configuration+=(CONFIG_TEST_USERSPACE=n)
  traced semaphore tests/kernel/semaphore/semaphore 700000
  ;;
esac
