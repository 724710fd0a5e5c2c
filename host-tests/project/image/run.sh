#!/usr/bin/env bash
# run.sh SOURCE TARGET IMAGE [SERIAL]: runs an image on the target's machine, one CPU, its serial line into
# the file SERIAL. Ends with the image's status, or 124 where that took a minute.
set -euo pipefail
source=$1 target=$2 image=$3 serial=${4:-/dev/null}

machine=$(awk -F ' *[|] *' -v target="$target" '$1 == target { print $3 }' "$source/toolchain/targets.txt")
[[ -n $machine ]] || {
  echo "run.sh: no target '$target'"
  exit 2
}
read -r -a command <<<"$machine"
# Where the machine leaves files.
cd "$(dirname "$image")"
timeout 60 "${command[@]}" -display none -monitor none -nic none -serial "file:$serial" -kernel "$image"
