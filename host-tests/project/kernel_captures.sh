#!/usr/bin/env bash
# Captures of the applications in kernels/, made with the real kernels in QEMU, have what the kernels counted.
set -euo pipefail
source=$1 work=$2 build=$3
for capture in "$source"/host-tests/goldens/captures/kernels/*.raw*; do
  kernel=$(basename "${capture%.gz}" .raw)
  rm -rf "${work:?}/$kernel"
  mkdir -p "$work/$kernel"
  gzip -dcf "$capture" >"$work/$kernel/trace.raw"
  "$source/host-tests/project/kernels/check.sh" "$build/barefxt" "$work/$kernel" "$kernel"
done
