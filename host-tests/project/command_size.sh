#!/usr/bin/env bash
# The command has at most 4 MB as it is installed, without debug information. And it starts without cairo's twenty libraries.
set -euo pipefail
work=$2 build=$3
limit=4000000
rm -rf "$work"
cmake --install "$build" --prefix "$work" >/dev/null
bytes=$(stat -c %s "$work/bin/barefxt")
echo "$bytes bytes"
if ((bytes > limit)); then
  echo "FAILED: the command has $bytes bytes, and $limit are its limit"
  exit 1
fi
readelf -d "$work/bin/barefxt" >"$work/needed"
if grep 'NEEDED.*cairo' "$work/needed"; then
  echo "FAILED: each start of the command loads cairo, which pictures alone take"
  exit 1
fi
