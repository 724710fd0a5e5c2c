#!/usr/bin/env bash
# Every C and C++ file is as clang-format leaves it.
set -euo pipefail
cd "$1"

find runtime port host host-tests qemu-tests docs -name '*.c' -o -name '*.cpp' -o -name '*.h' |
  sort | xargs clang-format-19 --dry-run -Werror
