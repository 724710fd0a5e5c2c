#!/usr/bin/env bash
# The port that docs/how-to/new-cpu.md writes down, exactly as printed, makes an image that boots, and the host
# reads the trace that it sends. It is small.
set -euo pipefail
source=$1 work=$2 build=$3 target=$4
here=$source/host-tests/project
page=$source/docs/how-to/new-cpu.md
rm -rf "$work"
mkdir -p "$work/port"

block() { # LANGUAGE N: the page's Nth code in that language
  awk -v fence="\`\`\`$1" -v wanted="$2" \
    '$0 == fence { inside = ++seen == wanted; next } /^```/ { inside = 0 } inside' "$page"
}
block c 1 >"$work/port/barefxt_port.h"
block cmake 1 >"$work/port.cmake"
block c 2 >"$work/main.c"
lines=$(cat "$work/port/barefxt_port.h" "$work/port.cmake" "$work/main.c" | grep -c .)
if ((lines < 40 || lines > 100)); then
  echo "FAILED: the page promises a port in under 100 lines and has $lines"
  exit 1
fi

# In the page's CMake code the project is a folder called barefxt.
ln -s "$source" "$work/barefxt"
cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(porting LANGUAGES C CXX ASM)
add_executable(kernel ${IMAGE}/start.S main.c)
target_compile_options(kernel PRIVATE -Wall -Wextra -Werror)
target_link_options(kernel PRIVATE -nostdlib -static -Wl,--build-id=none -T ${IMAGE}/image.ld)
include(port.cmake)
# The runtime's files as one, which compiles in half of the time; project.package and the images of the targets
# have them apart.
set_target_properties(barefxt_runtime PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
END
compilers=(gcc)
[[ ${BAREFXT_FULL:-0} != 1 ]] || compilers+=(clang)
for compiler in "${compilers[@]}"; do
  out=$work/$compiler
  {
    cmake -S "$work" -B "$out" -G Ninja --toolchain "$source/toolchain/$target-$compiler.cmake" \
      -DCMAKE_BUILD_TYPE=Release -DIMAGE="$here/image/riscv" && cmake --build "$out"
  } >"$work/log" 2>&1 || {
    cat "$work/log"
    echo "FAILED: the port of docs/how-to/new-cpu.md does not build with $compiler"
    exit 1
  }
  "$here/image/run.sh" "$source" "$target" "$out/kernel" "$out/uart.raw"
  "$build/barefxt" rebuild "$out/uart.raw" -o "$out/trace.fxt"
  "$build/barefxt" lint "$out/trace.fxt"
  "$build/barefxt" print --json "$out/trace.fxt" >"$out/trace.json"
  switches=$(grep -c '"record":"context_switch"' "$out/trace.json")
  steps=$(grep -c '"name":"step"' "$out/trace.json")
  if ((switches != 2 || steps != 10)); then
    echo "FAILED: $switches switches and $steps steps, rather than 2 and 10 ($compiler)"
    exit 1
  fi
done
