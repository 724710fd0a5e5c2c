#!/usr/bin/env bash
# The command alone, as demo.sh builds it, configures without the libraries of tests and of pictures: CMake does not look for them.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
cmake -S "$source" -B "$work" -G Ninja -DBAREFXT_HOST_TESTS=OFF -DBAREFXT_PNG=OFF >"$work/log" || {
  cat "$work/log"
  exit 1
}
if grep -v '^//' "$work/CMakeCache.txt" | grep -i -E 'gtest|gmock|rapidcheck|nlohmann|cairo|pkg_config'; then
  echo "FAILED: looked for what the command alone does not need"
  exit 1
fi
# With pictures it does look.
cmake -S "$source" -B "$work" -DBAREFXT_PNG=ON >"$work/log"
grep -q -i cairo "$work/CMakeCache.txt"
