#!/usr/bin/env bash
# The application of kernels/KERNEL with the kernel in BAREFXT_KERNEL_DIR: it builds, its trace has what was counted, a
# fault is dumped as in docs/how-to/crash.md, and the image's growth is printed. Skipped without the kernel.
# shellcheck source=host-tests/project/kernels/kernel.sh
. "${0%/*}/kernels/kernel.sh"
run traced run
"$source/host-tests/project/kernels/check.sh" "$build/barefxt" "$work/traced" "$kernel"

# The last thread that ran on the first CPU is the one whose fault it is, and the dump is whole.
run fault run -DFAULT
"$build/barefxt" rebuild "$work/fault/trace.raw" -o "$work/fault.fxt"
"$build/barefxt" print "$work/fault.fxt" >"$work/fault.txt"
grep ' cpu 0 .* -> ' "$work/fault.txt" | tail -n 1 | grep -- '-> .*:worker/' || {
  tail -n 5 "$work/fault.txt"
  echo "FAILED: $kernel: the dump of a fault does not end with the switch to the worker"
  exit 1
}

run off size -DBAREFXT_DISABLED=1
run sized size
for name in sized off; do echo "$kernel, $name: $(tail -n 1 "$work/$name.log")"; done
