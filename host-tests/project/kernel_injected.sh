#!/usr/bin/env bash
# Kinds of causes injected under the kernel in BAREFXT_KERNEL_DIR (kernels/injected.h): explain names each of them. This
# also makes the captures in explain/injected: gzip -9n. Skipped without the kernel.
# shellcheck source=host-tests/project/kernels/kernel.sh
. "${0%/*}/kernels/kernel.sh"
run injected run -DINJECTED
mv "$work/injected/trace.raw" "$work/$kernel.raw"
"$build/barefxt" rebuild "$work/$kernel.raw" -o "$work/trace.fxt"
"$build/barefxt" lint "$work/trace.fxt"
cmake --build "$build" --target delivered_test >"$work/log"
BAREFXT_INJECTED_CAPTURES=$work "$build/host-tests/delivered_test" --gtest_filter="*InjectedKernels.*/$kernel"
