#!/usr/bin/env bash
# Makes cortex-m3-circular.ram.gz, the bytes of a target's memory from 0x21000000 on, and cortex-m3-circular.elf.gz, the
# program that ran, without its code: the names are in its flash, which the image lacks. Tests damage both.
#
#   cmake --preset cortex-m3 && cmake --build build/cortex-m3 --target kernel
#   host-tests/goldens/memory/make.sh
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
folder=$PWD/host-tests/goldens/memory
program=$PWD/build/cortex-m3/qemu-tests/kernel.elf
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

IFS='|' read -r _ _ machine _ < <(grep '^cortex-m3 ' toolchain/targets.txt)
read -r -a qemu <<<"timeout 120 $machine -display none -monitor none -nic none"
(cd "$work" && exec "${qemu[@]}" -kernel "$program" -S -gdb "unix:$work/gdb,server=on,wait=off" -serial file:uart.raw \
  -append "mode=circular seconds=1 workers=20 ring=16384 dump=none" </dev/null) &
qemu_id=$!
while [[ ! -S $work/gdb ]]; do sleep 0.1; done
# From the descriptor to the end of the rings.
gdb-multiarch -nx -q -batch -ex "target remote $work/gdb" -ex 'break board::exit' -ex continue \
  -ex "dump binary memory $work/ram 0x21000000 0x21089000" -ex kill "$program" >"$work/gdb.log" 2>&1 ||
  cat "$work/gdb.log" >&2
wait "$qemu_id" || true

code_bytes=$((16#$(llvm-readelf-19 -S "$program" | awk '$2 == ".text" || $3 == ".text" { print $(NF - 5) }')))
head -c "$code_bytes" /dev/zero >"$work/code"
llvm-objcopy-19 --strip-debug --update-section ".text=$work/code" "$program" "$work/elf"
gzip -9nc <"$work/ram" >"$folder/cortex-m3-circular.ram.gz"
gzip -9nc <"$work/elf" >"$folder/cortex-m3-circular.elf.gz"
