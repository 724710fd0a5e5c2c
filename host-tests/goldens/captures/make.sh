#!/usr/bin/env bash
# Makes golden captures with the runtime that is checked out: once for a released version, into a folder
# of its name. They are never made again: what an older runtime wrote must stay readable.
#
#   cmake --build build/host --target barefxt
#   for each preset below: cmake --build build/PRESET --target kernel kernel_linear
#   host-tests/goldens/captures/make.sh host-tests/goldens/captures/VERSION
#
# Then records.txt there needs a line for each file: golden_versions_test.cpp prints it.
set -euo pipefail

folder=$(realpath -m "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"

# Sets `qemu` to the command that boots IMAGE of PRESET on all CPUs.
take_qemu() { # PRESET IMAGE
  local machine cpus
  IFS='|' read -r _ _ machine cpus _ < <(grep "^$1 " toolchain/targets.txt)
  read -r -a qemu <<<"timeout 120 $machine $cpus -display none -monitor none -nic none"
  qemu+=(-kernel "$root/build/$1/qemu-tests/$2.elf")
}

# The bytes that the UART sent.
line() { # NAME PRESET IMAGE WORDS
  take_qemu "$2" "$3"
  (cd "$work" && "${qemu[@]}" -serial file:uart.raw -append "$4" </dev/null)
  gzip -9n <"$work/uart.raw" >"$folder/$1.raw.gz"
}

# The parts of the memory that hold the trace, as gdb saves them at the end of the run.
memory() { # NAME PRESET WORDS
  local qemu_id
  take_qemu "$2" kernel
  (cd "$work" && exec "${qemu[@]}" -S -gdb "unix:$work/gdb,server=on,wait=off" -serial file:uart.raw \
    -append "$3 dump=none" </dev/null) &
  qemu_id=$!
  while [[ ! -S $work/gdb ]]; do sleep 0.1; done
  gdb-multiarch -nx -q -batch -ex "target remote $work/gdb" -ex 'break board::exit' -ex continue \
    -ex "source $root/host/gdb/barefxt.py" -ex "barefxt-dump $work/core" -ex kill \
    "build/$2/qemu-tests/kernel.elf" >"$work/gdb.log" 2>&1 || cat "$work/gdb.log" >&2
  wait "$qemu_id" || true
  rm -f "$work/gdb"
  gzip -9n <"$work/core" >"$folder/$1.core.gz"
}

# A moment of a recorder that goes on, which the host asked for.
snapshot() { # NAME PRESET
  local qemu_id ask="capture --unix $work/line --wait 30"
  take_qemu "$2" kernel
  (cd "$work" && exec "${qemu[@]}" -serial "unix:$work/line,server=on,wait=on" -append "mode=asked" </dev/null) &
  qemu_id=$!
  # shellcheck disable=SC2086
  {
    build/host/barefxt $ask --ask start --mode circular
    sleep 0.3
    build/host/barefxt $ask --ask snapshot,dump --raw "$work/raw" -o "$work/moment.fxt"
    build/host/barefxt $ask --ask stop
  }
  kill "$qemu_id"
  wait "$qemu_id" || true
  rm -f "$work/line"
  gzip -9n <"$work/raw" >"$folder/$1.raw.gz"
}

archive() { # NAME CAPTURE ORDER
  gzip -dc "$folder/$2.raw.gz" >"$work/raw"
  build/host/barefxt rebuild "$work/raw" --output-byte-order "$3" -o "$work/fxt"
  gzip -9n <"$work/fxt" >"$folder/$1.fxt.gz"
}

line aarch64-one-shot aarch64 kernel "seconds=1 workers=20 ring=65536"
line aarch64-text-coded aarch64 kernel "seconds=1 workers=20 dump=text coded=1"
line aarch64-full aarch64 kernel "mode=full seconds=1 workers=20"
line aarch64-recovered aarch64 kernel "mode=reset seconds=1 workers=20 ring=32768"
line aarch64-linear aarch64 kernel_linear "seconds=1"
line aarch64_be-circular aarch64_be kernel "mode=circular seconds=1 workers=20"
line aarch64_be-streaming-coded aarch64_be kernel "mode=streaming coded=1 seconds=1 workers=20"
line aarch64_be-recovered-coded aarch64_be kernel "mode=reset coded=1 seconds=1 workers=20"
line cortex-m3-text cortex-m3 kernel "mode=circular seconds=1 workers=20 dump=text"
line cortex-m3-streaming cortex-m3 kernel "mode=streaming seconds=1 workers=20"
line cortex-m3-recovered cortex-m3 kernel "mode=reset seconds=1 workers=20"
line cortex-m3-linear cortex-m3 kernel_linear "seconds=1"
line rv32-full-coded rv32 kernel "mode=full coded=1 seconds=1 workers=20"
line rv32-circular rv32 kernel "mode=circular seconds=1 workers=20"
line m68k-one-shot m68k kernel "seconds=1 workers=20 ring=65536"
line m68k-circular-text-coded m68k kernel "mode=circular seconds=1 workers=20 dump=text coded=1"
line m68k-recovered m68k kernel "mode=reset seconds=1 workers=20"
line m68k-linear m68k kernel_linear "seconds=1"
line m68k-every-record m68k kernel "mode=records"
line aarch64-every-record-coded aarch64 kernel "mode=records coded=1"
snapshot aarch64-snapshot aarch64
snapshot armv7a-snapshot armv7a
memory aarch64-circular aarch64 "mode=circular seconds=1 workers=20"
memory aarch64_be-full aarch64_be "mode=full seconds=1 workers=20"
memory cortex-m3-circular cortex-m3 "mode=circular seconds=1 workers=20"
memory m68k-full m68k "mode=full seconds=1 workers=20"
archive little-every-record aarch64-every-record-coded little
archive big-every-record m68k-every-record big
archive big-streaming aarch64_be-streaming-coded big
du -bc "$folder"/*
