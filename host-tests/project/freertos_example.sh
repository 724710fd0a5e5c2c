#!/usr/bin/env bash
# examples/freertos with the kernel in BAREFXT_FREERTOS_DIR: it builds by its Makefile, and its trace shows the inversion.
# Its worker's fault is dumped by the fault handler, and TRACE=0 leaves no byte of the tracer. Skipped without the kernel.
set -euo pipefail
source=$1 work=$2 build=$3
[[ -e ${BAREFXT_FREERTOS_DIR:-}/tasks.c ]] || {
  echo "SKIPPED: BAREFXT_FREERTOS_DIR is not the folder of FreeRTOS-Kernel"
  exit 77
}
rm -rf "$work"
mkdir -p "$work"
cp -r "$source/examples/freertos" "$work/app"
cd "$work/app"
run() { # GOAL VARIABLE...
  make -s FREERTOS="$BAREFXT_FREERTOS_DIR" BAREFXT="$source" "$@" >"$work/log" 2>&1 || {
    cat "$work/log"
    echo "FAILED: make $*"
    exit 1
  }
}
run run
mv trace.raw "$work"
"$source/host-tests/project/freertos_inversion.sh" "$build/barefxt" "$work"

# The last record is of the worker, and the dump is whole.
run run OUT=fault OPTIONS=-DFAULT
"$build/barefxt" rebuild trace.raw -o "$work/fault.fxt"
"$build/barefxt" print "$work/fault.fxt" | sed -n '$p' | grep -- '-> .*:worker/' >/dev/null || {
  echo "FAILED: the dump of a fault does not end with the switch to the worker"
  exit 1
}

# Nothing of the tracer but what the application itself calls: no symbol of it is left.
run size OUT=off TRACE=0
! arm-none-eabi-nm -C off/app.elf | grep -v -E 'barefxt_(address|(strings|numbers)_(begin|end))$' | grep -i ' [tdbr] .*barefxt' || {
  echo "FAILED: the symbols above are left with TRACE=0"
  exit 1
}
for level in switches waits; do run size OUT="$level" LEVEL="$level"; done
flash() { arm-none-eabi-size "$1/app.elf" | awk 'NR == 2 { print $1 + $2 }'; }
echo "flash: $(flash build) bytes, waits $(flash waits), switches $(flash switches), TRACE=0 $(flash off)"
(($(flash build) > $(flash waits) && $(flash waits) > $(flash switches) && $(flash switches) > $(flash off) + 5000)) || {
  echo "FAILED: levels do not make the image smaller"
  exit 1
}
