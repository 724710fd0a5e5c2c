#!/usr/bin/env bash
# examples/pico builds with the Pico SDK in BAREFXT_PICO_DIR, for one core and two, and for RP2350's Arm cores. With BAREFXT_FREERTOS_DIR
# its program with tasks builds as well, and if BAREFXT_PICO_RUN is a command, "BAREFXT_PICO_RUN IMAGE.bin OUTPUT" runs both on an
# RP2040 until they say "done:". Skipped without the SDK.
set -euo pipefail
source=$1 work=$2 build=$3
[[ -e ${BAREFXT_PICO_DIR:-}/pico_sdk_init.cmake ]] || {
  echo "SKIPPED: BAREFXT_PICO_DIR is not the folder of the Pico SDK"
  exit 77
}
rm -rf "$work"
mkdir -p "$work"
make_image() { # NAME OPTION...
  { cmake -S "$source/examples/pico" -B "$work/$1" -G Ninja -DPICO_SDK_PATH="$BAREFXT_PICO_DIR" "${@:2}" && cmake --build "$work/$1"; } \
    >"$work/$1.log" 2>&1 || {
    grep -A 3 -i "error" "$work/$1.log" | cut -c 1-300 | tail -n 40
    echo "FAILED: $1 does not build"
    exit 1
  }
  arm-none-eabi-readelf -SW "$work/$1/app.elf" | grep 'barefxt_strings.* 1000' >/dev/null || {
    echo "FAILED: $1 has its strings outside the flash"
    exit 1
  }
}
freertos=()
[[ ! -e ${BAREFXT_FREERTOS_DIR:-}/tasks.c ]] || freertos=(-DFREERTOS_KERNEL_PATH="$BAREFXT_FREERTOS_DIR")
make_image two-cores "${freertos[@]}"
make_image rp2350 -DPICO_PLATFORM=rp2350-arm-s
make_image one-core -DPICO_BAREFXT_CPUS=1 "${freertos[@]}"
[[ -n ${BAREFXT_PICO_RUN:-} && ${#freertos[@]} -gt 0 ]] || {
  echo "all build; not run, since BAREFXT_PICO_RUN or BAREFXT_FREERTOS_DIR is not set"
  exit 0
}
for program in app app_freertos; do
  arm-none-eabi-objcopy -O binary -R .ram_vector_table "$work/one-core/$program.elf" "$work/$program.bin"
  $BAREFXT_PICO_RUN "$work/$program.bin" "$work/$program.raw" >"$work/$program.log" 2>&1
done
exec "$source/host-tests/project/pico_captures.sh" "$source" "$work" "$build" "$work/app.raw" "$work/app_freertos.raw"
