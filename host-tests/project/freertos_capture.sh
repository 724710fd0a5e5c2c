#!/usr/bin/env bash
# A capture of examples/freertos, made with the real kernel (commit 4269c69a) on mps2-an385: stats alone find the
# planted priority inversion, with waiter, lock, holder and runner, and a budget on it is violated.
set -euo pipefail
source=$1 work=$2 build=$3
rm -rf "$work"
mkdir -p "$work"
cp "$source/host-tests/goldens/captures/freertos-example.raw" "$work/trace.raw"
exec "$source/host-tests/project/freertos_inversion.sh" "$build/barefxt" "$work"
