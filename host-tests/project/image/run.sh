#!/usr/bin/env bash
# run.sh SOURCE TARGET IMAGE [SERIAL [OPTION...]]: runs an image on the target's machine, one CPU, its serial
# line into the file SERIAL, with further options for QEMU. Its time is made of instructions: what is recorded in microseconds is no place for pauses
# of the host. Ends with the image's status, or 124 where that took ten minutes.
set -euo pipefail
source=$1 target=$2 image=$3 serial=${4:-/dev/null}

machine=$(awk -F ' *[|] *' -v target="$target" '$1 == target { print $3, $5 }' "$source/toolchain/targets.txt")
[[ -n $machine ]] || {
  echo "run.sh: no target '$target'"
  exit 2
}
read -r -a command <<<"$machine"
# The machine leaves files here.
cd "$(dirname "$image")"
timeout 600 "${command[@]}" -display none -monitor none -nic none -serial "file:$serial" -kernel "$image" "${@:5}"
