#!/usr/bin/env bash
# Kinds of causes injected under the kernel in BAREFXT_KERNEL_DIR (kernels/injected.h): explain names each of them. This
# also makes the captures in explain/injected: gzip -9n. Skipped without the kernel.
set -euo pipefail
source=$1 work=$2 build=$3 kernel=$4
variable=BAREFXT_${kernel^^}_DIR
[[ -d ${!variable:-} ]] || {
  echo "SKIPPED: $variable is not the folder of $kernel"
  exit 77
}
rm -rf "$work"
mkdir -p "$work"
"$source/host-tests/project/kernels/$kernel/make.sh" "$source" "${!variable}" "$work/made" run -DINJECTED >"$work/log" 2>&1 || {
  tail -n 40 "$work/log"
  echo "FAILED: $kernel does not build or run"
  exit 1
}
mv "$work/made/trace.raw" "$work/$kernel.raw"
"$build/barefxt" rebuild "$work/$kernel.raw" -o "$work/trace.fxt"
"$build/barefxt" lint "$work/trace.fxt"
cmake --build "$build" --target delivered_test >"$work/log"
BAREFXT_INJECTED_CAPTURES=$work "$build/host-tests/delivered_test" --gtest_filter="*InjectedKernels.*/$kernel"
