#!/usr/bin/env bash
# clang-tidy has nothing to say about the host's code, the runtime's and the test kernel's. The analyzer
# gives up on a function somewhat earlier than it does by itself, which is most of its time.
set -euo pipefail
source=$1 work=$2 build=$3

# The runtime and the kernel are looked at as they are compiled for a target.
cmake -S "$source" -B "$work" -G Ninja --toolchain "$source/toolchain/aarch64-clang.cmake" \
  -DBAREFXT_QEMU_TESTS=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null

cd "$source"
{
  find host/src -name '*.cpp' -printf "$build %p\n"
  find runtime/src qemu-tests/board/aarch64-virt qemu-tests/kernel qemu-tests/sweep qemu-tests/torture qemu-tests/workload \
    -name '*.c' -printf "$work %p\n" -o -name '*.cpp' -printf "$work %p\n"
} | sort -k 2 | xargs -L 1 -P 2 clang-tidy-19 --quiet \
  --extra-arg={-Xclang,-analyzer-config,-Xclang,max-nodes=20000} -p
