#!/usr/bin/env bash
# Captures of the real Zephyr in QEMU, of its own tests as the application, have what the image counted by itself: it wrapped the kernel's
# hooks ("counted: name=number ...").
set -euo pipefail
source=$1 work=$2 build=$3
rm -rf "$work"
mkdir -p "$work"
shopt -s nullglob
captures=("$source"/host-tests/goldens/captures/zephyr/*.raw*)
((${#captures[@]} >= 11)) || {
  echo "FAILED: only ${#captures[@]} captures"
  exit 1
}
for capture in "${captures[@]}"; do
  name=$(basename "${capture%.gz}" .raw)
  archive=$work/$name.fxt
  gzip -dcf "$capture" >"$work/$name.raw"
  "$build/barefxt" rebuild "$work/$name.raw" -o "$archive"
  "$build/barefxt" lint "$archive"
  "$build/barefxt" doctor "$work/$name.raw"
  "$build/barefxt" stats "$archive" >"$work/$name.stats"
  "$source/host-tests/project/kernels/zephyr_tests/compare.sh" "$build/barefxt" "$work/$name.raw" "$archive" "$work/$name.stats"
done
# The CPU knows the timer's number there.
grep -q '^cpu 0 tick ' "$work/rv32-timer.stats" || {
  cat "$work/rv32-timer.stats"
  echo "FAILED: rv32-timer: the tick has no name"
  exit 1
}
