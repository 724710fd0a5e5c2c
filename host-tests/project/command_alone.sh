#!/usr/bin/env bash
# The command alone, as demo.sh and docs/how-to/host.md build it, configures without the libraries of tests and of pictures: CMake does
# not look for them. The packages on that page are those that setup.sh installs for it, and that the example's workflow installs.
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
# The example's workflow builds it the same way, on a machine with no more than these packages.
workflow=$source/examples/ci-budgets/workflow.yml
grep -qxF "      - run: cmake -S . -B build $configure" "$workflow" || {
  echo "FAILED: $workflow configures otherwise than docs/how-to/host.md"
  exit 1
}
for package in $packages; do
  grep -qwF -- "$package" "$workflow" || {
    echo "FAILED: $workflow does not install $package"
    exit 1
  }
done
cmake -S "$source" -B "$work" "${options[@]}" >"$work/log" || {
  cat "$work/log"
  exit 1
}
if grep -v '^//' "$work/CMakeCache.txt" | grep -i -E 'gtest|gmock|rapidcheck|nlohmann|cairo'; then
  echo "FAILED: looked for what the command alone does not need"
  exit 1
fi
# With pictures it does look.
cmake -S "$source" -B "$work" -DBAREFXT_PNG=ON >"$work/log"
grep -q -i cairo "$work/CMakeCache.txt"
