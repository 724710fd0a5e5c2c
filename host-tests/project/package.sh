#!/usr/bin/env bash
# Other projects can use this one: installed and found with find_package, host library and runtime; and
# with FetchContent or add_subdirectory, which bring a cross build nothing of the host.
set -euo pipefail
source=$1 work=$2 build=$3 target=$4
here=$source/host-tests/project
rm -rf "$work"
mkdir -p "$work"

quietly() { # COMMAND...
  "$@" >"$work/log" 2>&1 || {
    cat "$work/log"
    echo "FAILED: $*"
    exit 1
  }
}

consume() { # FOLDER CMAKE-OPTION...
  local folder=$1
  shift
  quietly cmake -S "$here/package/$folder" -B "$work/use-$folder" -G Ninja "$@"
  quietly cmake --build "$work/use-$folder"
}

# The host library: installed from the build that this test belongs to.
quietly cmake --install "$build" --prefix "$work/host-prefix"
# By the program in host/README.md. Each header alone, of the library in full runs, of the format always.
awk '/^```cpp$/ { copies = 1; next } /^```$/ { copies = 0 } copies' "$source/host/README.md" >"$work/program.cpp"
headers="barefxt/fxt/*.h"
if [[ ${BAREFXT_FULL:-0} == 1 ]]; then headers+=" barefxt/host/*.h"; fi
# shellcheck disable=SC2086  # a pattern each
headers=$(cd "$work/host-prefix/include" && printf '%s;' $headers)
consume host -DCMAKE_PREFIX_PATH="$work/host-prefix" -DPROGRAM="$work/program.cpp" -DHEADERS="${headers%;}"
"$work/use-host/consumer" "$source/host-tests/goldens/captures/cortex-m3-demo.v2.raw" >"$work/times"
grep -q 'scrub 0\.413338 s$' "$work/times" || {
  cat "$work/times"
  echo "FAILED: the program in host/README.md does not say how long the demo's threads ran"
  exit 1
}
# Each header of the library is in that page, or a header that is includes it.
reached=$(grep -oE '\b[a-z_]+\.h\b' "$source/host/README.md" | sort -u)
known=
while [[ $reached != "$known" ]]; do
  known=$reached
  # shellcheck disable=SC2086  # a file each
  reached=$({ echo "$known" && cd "$work/host-prefix/include/barefxt/host" &&
    sed -n 's|^#include <barefxt/host/\(.*\)>$|\1|p' $known; } | sort -u)
done
if ! diff <(echo "$known") <(cd "$work/host-prefix/include/barefxt/host" && printf '%s\n' * | sort); then
  echo "FAILED: host/README.md does not lead to the headers above"
  exit 1
fi
"$work/host-prefix/bin/barefxt" --version
if ! diff -r "$source/host/sql" "$work/host-prefix/share/barefxt/sql"; then
  echo "FAILED: the queries are not installed as they are"
  exit 1
fi

# The runtime: built for the target, installed, and linked into an image.
cross=(--toolchain "$source/toolchain/$target-gcc.cmake")
quietly cmake -S "$source" -B "$work/runtime" -G Ninja "${cross[@]}"
quietly cmake --build "$work/runtime"
quietly cmake --install "$work/runtime" --prefix "$work/runtime-prefix"
consume runtime "${cross[@]}" -DCMAKE_PREFIX_PATH="$work/runtime-prefix" -DIMAGE="$here/image" \
  -DSTAND_INS="$source/host-tests/rtos"
for header in barefxt_port.h barefxt_pl011.h barefxt_semihosting.h; do
  [[ -e $work/runtime-prefix/include/barefxt-port/$header ]] || {
    echo "FAILED: $header is not installed"
    exit 1
  }
done
# An installed package names no folder of the source tree.
if grep -r -l -F "$source/" "$work/runtime-prefix/lib/cmake" "$work/host-prefix/lib/cmake"; then
  echo "FAILED: the files above point into the source tree"
  exit 1
fi

# The project fetched by another, or its folder runtime as one of another. It is fetched by git, from the
# address that docs/how-to/packaging.md calls BAREFXT_REPOSITORY, which here is a repository with one commit.
version=$(sed -n 's/^  VERSION \([0-9.]*\)$/\1/p' "$source/CMakeLists.txt")
mkdir "$work/repository"
tar -C "$source" --exclude=./build --exclude=./.git -c . | tar -C "$work/repository" -x
(
  cd "$work/repository"
  git init -q
  git add -A
  git -c user.name=test -c user.email=test@example.org commit -q -m "The project"
  git tag "v$version"
)
if ! grep -qxF "$(grep '^FetchContent_Declare' "$source/docs/how-to/packaging.md")" "$here/package/fetch/CMakeLists.txt"; then
  echo "FAILED: the consumer fetches otherwise than docs/how-to/packaging.md says"
  exit 1
fi
for folder in fetch subdirectory; do
  consume "$folder" "${cross[@]}" -DBAREFXT_SOURCE="$source" -DBAREFXT_REPOSITORY="file://$work/repository" \
    -DIMAGE="$here/image"
done

# The ways that are not CMake's, which know no target; once.
if [[ $target == aarch64 ]]; then
  "$here/packaging.sh" "$source" "$work" "$build" "$target"
fi
