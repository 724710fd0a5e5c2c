#!/usr/bin/env bash
# The twenty lines of docs/how-to/own-kernel.md, exactly as printed, make an image that boots, the host reads the
# trace that it sends, and the doctor finds nothing wrong with it.
set -euo pipefail
source=$1 work=$2 build=$3 target=$4
here=$source/host-tests/project
page=$source/docs/how-to/own-kernel.md
troubles=$source/docs/how-to/troubleshooting.md
rm -rf "$work"
mkdir -p "$work"

block() { # FILE LANGUAGE: the file's first code in that language
  awk -v fence="\`\`\`$2" '$0 == fence { inside = ++seen == 1; next } /^```/ { inside = 0 } inside' "$1"
}
block "$page" c >"$work/app.c"
block "$page" cmake >"$work/app.cmake"
lines=$(grep -c . "$work/app.c")
if ((lines < 10 || lines > 20)); then
  echo "FAILED: the page promises twenty lines and has $lines"
  exit 1
fi
# The README's test covers the linker lines that both have.
if ! cmp <(block "$page" ld) <(block "$source/README.md" ld); then
  echo "FAILED: the linker lines of the page differ from those of the README"
  exit 1
fi

# The page assumes a program that starts, and a function that sends a byte.
cat >"$work/main.c" <<'END'
#include <stdint.h>

#include "machine.h"

void uart_put(uint8_t byte);
int app(void);

void uart_put(uint8_t byte) { machine_put(byte); }

int main(void) {
  machine_prepare();
  return app();
}
END
# In the page's CMake code the project is a folder called barefxt.
ln -s "$source" "$work/barefxt"
cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(integrating LANGUAGES C CXX ASM)
add_executable(kernel ${IMAGE}/${BAREFXT_PORT}/start.S main.c app.c)
target_include_directories(kernel PRIVATE ${IMAGE}/${BAREFXT_PORT})
target_compile_options(kernel PRIVATE -Wall -Wextra -Werror)
set(SCRIPT ${IMAGE}/${BAREFXT_PORT}/image.ld CACHE FILEPATH "")
target_link_options(kernel PRIVATE -nostdlib -static -Wl,--build-id=none -T ${SCRIPT})
include(app.cmake)
# The runtime's files as one, which compiles in half of the time; project.package and the images of the targets
# have them apart.
set_target_properties(barefxt_runtime PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
END
{
  cmake -S "$work" -B "$work/build" -G Ninja --toolchain "$source/toolchain/$target-gcc.cmake" \
    -DCMAKE_BUILD_TYPE=Release -DIMAGE="$here/image" && cmake --build "$work/build"
} >"$work/log" 2>&1 || {
  cat "$work/log"
  echo "FAILED: the code of docs/how-to/own-kernel.md does not build"
  exit 1
}
"$here/image/run.sh" "$source" "$target" "$work/build/kernel" "$work/console.log"
"$build/barefxt" rebuild "$work/console.log" -o "$work/trace.fxt"
"$build/barefxt" doctor "$work/console.log" | tee "$work/doctor"
grep -q '^no fault found$' "$work/doctor"
"$build/barefxt" lint "$work/trace.fxt"
"$build/barefxt" print --json "$work/trace.fxt" >"$work/trace.json"
steps=$(grep -c '"name":"step","args":\[{"name":"number","type":"uint32"' "$work/trace.json")
rounds=$(grep -c '"event":"duration_[a-z]*",.*"name":"round"' "$work/trace.json")
if ((steps != 10 || rounds != 20)); then
  echo "FAILED: $steps steps and $rounds begins and ends of rounds, rather than 10 and 20"
  exit 1
fi

# Without either of the two linker lines the link fails with a message that the page explains.
port=$(sed -n 's/^BAREFXT_PORT:[A-Z]*=//p' "$work/build/CMakeCache.txt")
for left_out in 'barefxt_' 'barefxt_strings' 'barefxt_index'; do
  sed "/INCLUDE $left_out/d" "$here/image/$port/image.ld" >"$work/without.ld"
  case $left_out in
  barefxt_) message='undefined reference to `barefxt_strings_begin' ;;
  barefxt_strings) message='barefxt: INCLUDE barefxt_strings.ld inside a loaded read-only section, too.' ;;
  *) message='undefined symbol `barefxt_index_is_included' ;;
  esac
  if cmake -S "$work" -B "$work/build" -DSCRIPT="$work/without.ld" >"$work/log" &&
    cmake --build "$work/build" >"$work/log" 2>&1 || ! grep -qF "$message" "$work/log"; then
    cat "$work/log"
    echo "FAILED: without INCLUDE $left_out the linker should say: $message"
    exit 1
  fi
  if ! grep -F '|' "$troubles" | grep -F "${message##*\`}" >/dev/null; then
    echo "FAILED: docs/how-to/troubleshooting.md does not explain the linker's message: $message"
    exit 1
  fi
done

# Every check that a symptom names is one of the doctor's, which the page's table lists.
grep -v '^| `' "$troubles" "$page" | tr '`' '\n' | grep -x '[a-z][a-z]*-[a-z-]*' | sort -u >"$work/named"
tr -d '`' <"$troubles" | sed -n 's/^| \([a-z-]*\) |.*/\1/p' | sort -u >"$work/checks"
if comm -23 "$work/named" "$work/checks" | grep .; then
  echo "FAILED: pages name the checks above, which the doctor's table does not have"
  exit 1
fi
