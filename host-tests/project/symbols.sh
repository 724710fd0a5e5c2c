#!/usr/bin/env bash
# What the runtime asks of an image: the ends of the table of strings, which the linker fragments
# define, and nothing else. No library, no helper of a compiler, no static constructor; at any level,
# with both compilers, and with every probe in use. The port is inline and asks for nothing.
#
# One target stands for its variants in what is not theirs: those are looked at at one level.
set -euo pipefail
source=$1 work=$2 target=$4
here=$source/host-tests/project/symbols

allowed='__start_barefxt_strings
__stop_barefxt_strings'

levels=(O2)
[[ $target != aarch64 ]] || levels=(O0 O2 Os)

failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

for compiler in gcc clang; do
  for level in "${levels[@]}"; do
    name=$compiler-$level
    build=$work/$name
    # The flags of a build type of our own come on top of the toolchain file's.
    cmake -S "$here" -B "$build" -G Ninja --toolchain "$source/toolchain/$target-$compiler.cmake" \
      -DBAREFXT_SOURCE="$source" -DCMAKE_BUILD_TYPE=Check \
      -DCMAKE_C_FLAGS_CHECK="-$level" -DCMAKE_CXX_FLAGS_CHECK="-$level" \
      -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
    cmake --build "$build" >"$build/build.log" || {
      cat "$build/build.log"
      fail "$name: does not compile"
      continue
    }

    for flag in -ffreestanding -fno-exceptions -fno-rtti -nostdinc++ -Wall -Wextra -Werror "-$level"; do
      without=$(grep '"command": .*runtime/src/' "$build/compile_commands.json" | grep -v -c -e " $flag " || true)
      ((without == 0)) || fail "$name: $without files of the runtime are compiled without $flag"
    done

    # All members linked into one object: what is left over comes from outside.
    ld.lld-19 -r -o "$build/all.o" --whole-archive \
      "$(find "$build" -name libbarefxt_runtime.a)" "$build/libprobes.a"
    undefined=$(aarch64-linux-gnu-nm -u "$build/all.o" | awk '{ print $2 }' | sort | comm -23 - <(echo "$allowed"))
    [[ -z $undefined ]] || fail "$name: undefined:" "${undefined//$'\n'/ }"

    sections=$(aarch64-linux-gnu-readelf -SW "$build/all.o" |
      grep -o -E ' \.(init_array|preinit_array|fini_array|ctors|dtors|tdata|tbss)[^ ]*' || true)
    [[ -z $sections ]] || fail "$name: static constructors or thread-local data:" "${sections//$'\n'/ }"
  done

  # With tracing compiled out nothing is left of the probes, and the runtime still compiles.
  name=$compiler-disabled
  build=$work/$name
  cmake -S "$here" -B "$build" -G Ninja --toolchain "$source/toolchain/$target-$compiler.cmake" \
    -DBAREFXT_SOURCE="$source" -DCMAKE_BUILD_TYPE=Check -DBAREFXT_DISABLED=1 \
    -DCMAKE_C_FLAGS_CHECK=-O0 -DCMAKE_CXX_FLAGS_CHECK=-O0 >/dev/null
  cmake --build "$build" >"$build/build.log" || {
    cat "$build/build.log"
    fail "$name: does not compile"
    continue
  }
  # The clock is asked for by the user's code, not by a probe.
  asked=$(aarch64-linux-gnu-nm -u "$build/libprobes.a" |
    awk '$1 == "U" && $2 != "barefxt_ticks" { print $2 }' | sort -u)
  [[ -z $asked ]] || fail "$name: disabled probes ask for:" "${asked//$'\n'/ }"
done
((failures == 0))
