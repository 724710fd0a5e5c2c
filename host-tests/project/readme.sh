#!/usr/bin/env bash
# The README's additions to a kernel, exactly as printed, make an image that boots, and the host
# reads the trace that it sends.
set -euo pipefail
source=$1 work=$2 build=$3 target=$4
here=$source/host-tests/project
rm -rf "$work"
mkdir -p "$work"

block() { # LANGUAGE: the README's code in that language
  awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } /^```/ { inside = 0 } inside' "$source/README.md"
}

block c >"$work/readme.c"
block cmake >"$work/readme.cmake"
block ld >"$work/readme.ld"
for file in readme.c readme.cmake readme.ld; do
  [[ -s $work/$file ]] || {
    echo "FAILED: nothing for $file in the README"
    exit 1
  }
done
lines=$(grep -c . "$work/readme.c")
if ((lines > 20)); then
  echo "FAILED: the README promises about twenty lines and has $lines"
  exit 1
fi

# The scripts of the test images, with the README's sections instead of their own.
for script in "$here"/image/*/image.ld; do
  awk -v readme="$work/readme.ld" '
  BEGIN { while ((getline line < readme) > 0) { if (line == "") part = 1; text[part + 0] = text[part + 0] line "\n" } }
  /^  \.rodata/ { printf "%s", text[0]; inside = 1 }
  !inside && /INCLUDE/ { printf "%s", text[1]; next }
  !inside { print }
  /^  }/ { inside = 0 }' "$script" >"$work/$(basename "$(dirname "$script")").ld"
done
# In the README's CMake code the project is a folder called barefxt.
ln -s "$source" "$work/barefxt"
ln -s "$here/readme" "$work/kernel"
cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(readme LANGUAGES C CXX ASM)
add_executable(kernel ${IMAGE}/${BAREFXT_PORT}/start.S kernel/kernel.c)
target_include_directories(kernel PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${IMAGE}/${BAREFXT_PORT})
target_compile_options(kernel PRIVATE -Wall -Wextra -Werror)
target_link_options(kernel PRIVATE -nostdlib -static -Wl,--build-id=none
                    -T ${CMAKE_CURRENT_SOURCE_DIR}/${BAREFXT_PORT}.ld)
include(readme.cmake)
# The runtime's files as one, which compiles in half of the time; project.package and the images of the targets
# have them apart.
set_target_properties(barefxt_runtime PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
END
# One compiler by default: clang, since project.integrating and project.rtos take GCC.
compilers=(gcc clang)
[[ ${BAREFXT_FULL:-0} == 1 || ! -e $source/toolchain/$target-clang.cmake ]] || compilers=(clang)
for compiler in "${compilers[@]}"; do
  [[ -e $source/toolchain/$target-$compiler.cmake ]] || continue
  out=$work/$compiler
  {
    cmake -S "$work" -B "$out" -G Ninja --toolchain "$source/toolchain/$target-$compiler.cmake" \
      -DCMAKE_BUILD_TYPE=Release -DIMAGE="$here/image" && cmake --build "$out"
  } >"$work/log" 2>&1 || {
    cat "$work/log"
    echo "FAILED: the README's code does not build with $compiler"
    exit 1
  }
  "$here/image/run.sh" "$source" "$target" "$out/kernel" "$out/uart.raw"
  "$build/barefxt" rebuild "$out/uart.raw" -o "$out/trace.fxt"
  "$build/barefxt" print --json "$out/trace.fxt" >"$out/trace.json"
  grep -q '"record":"context_switch"' "$out/trace.json"
  grep -q '"category":"net","name":"packet","args":\[{"name":"length","type":"uint32","value":1500}\]' \
    "$out/trace.json"
done
