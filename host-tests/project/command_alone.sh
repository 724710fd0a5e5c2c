#!/usr/bin/env bash
# The command alone, as demo.sh and docs/how-to/host.md build it, configures without the libraries of tests and of pictures: CMake does
# not look for them. The packages on that page are those that setup.sh installs for it.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
configure=$(sed -n 's/^cmake -S [.] -B build.host //p' "$source/docs/how-to/host.md")
read -r -a options <<<"$configure"
((${#options[@]} > 3)) || {
  echo "FAILED: docs/how-to/host.md does not say how to configure"
  exit 1
}
packages=$(sed -n 's/^apt-get install --no-install-recommends //p' "$source/docs/how-to/host.md")
grep -q -F "packages=($packages)" "$source/toolchain/setup.sh" || {
  echo "FAILED: docs/how-to/host.md installs other packages than toolchain/setup.sh: $packages"
  exit 1
}
cmake -S "$source" -B "$work" "${options[@]}" >"$work/log" || {
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
