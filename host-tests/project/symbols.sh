#!/usr/bin/env bash
# The runtime's undefined symbols are the ends of the table of strings, which the linker fragments define, and
# nothing else. No library, no helper of a compiler, no static constructor; at any level, with each compiler, and
# with every probe in use.
#
# One target stands for its variants in all that they share, so those are looked at at one level. By default the
# runtime is compiled as one file, and -O2 is left to the images of all targets, which are linked without a library.
# With BAREFXT_FULL=1 it is compiled file by file, at all levels.
set -euo pipefail
source=$1 work=$2 target=$4
here=$source/host-tests/project/symbols

allowed='barefxt_strings_begin
barefxt_strings_end'

# libgcc replaces the instructions that this CPU lacks: multiplying and shifting 64 bits, dividing 32,
# and a branch by a table.
if [[ $target == cortex-m0 ]]; then
  allowed+='
__aeabi_llsl
__aeabi_llsr
__aeabi_lmul
__aeabi_uidiv
__aeabi_uidivmod
__gnu_thumb1_case_shi
__gnu_thumb1_case_sqi
__gnu_thumb1_case_uhi
__gnu_thumb1_case_uqi'
fi

levels=(O2)
# The size of a word decides if a structure of a few words is copied by a call.
[[ $target != aarch64 && $target != rv32 ]] || levels=(O0 O2 Os)
disabled_level=O0
# For this CPU compilers copy and clear all but the smallest structures by calls; the runtime has none of
# those from -O2 on.
if [[ $target == cortex-m0 ]]; then
  levels=(O2 Os)
  disabled_level=O2
fi

rm -rf "$work"
mkdir -p "$work"
single=
if [[ ${BAREFXT_FULL:-0} != 1 ]]; then
  ((${#levels[@]} == 1)) || mapfile -t levels < <(printf '%s\n' "${levels[@]}" | grep -v -x O2)
  single=$work/barefxt.cpp
  awk -v folders="$source/runtime/include" -f "$source/toolchain/amalgamate.awk" \
    "$source/runtime/include/barefxt/barefxt.h" >"$work/barefxt.h"
  awk -v folders="$source/runtime/include:$source/runtime/src" -v ahead=barefxt/barefxt.h \
    -f "$source/toolchain/amalgamate.awk" "$source"/runtime/src/*.cpp >"$single"
fi

failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

for compiler in gcc clang; do
  [[ -e $source/toolchain/$target-$compiler.cmake ]] || continue
  build=$work/$compiler
  {
    cmake -S "$here" -B "$build" -G Ninja --toolchain "$source/toolchain/$target-$compiler.cmake" \
      -DBAREFXT_SOURCE="$source" -DLEVELS="$(IFS=';' && echo "${levels[*]}")" -DDISABLED_LEVEL="$disabled_level" \
      -DSINGLE="$single" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON && cmake --build "$build"
  } >"$work/log" 2>&1 || {
    cat "$work/log"
    fail "$compiler: does not compile"
    continue
  }

  for flag in -ffreestanding -fno-exceptions -fno-rtti -nostdinc++ -Wall -Wextra -Werror; do
    without=$(grep '"command": .*runtime/src/[^ ]*\.cpp' "$build/compile_commands.json" | grep -v -c -e " $flag " || true)
    ((without == 0)) || fail "$compiler: $without files of the runtime are compiled without $flag"
  done

  for level in "${levels[@]}"; do
    name=$compiler-$level
    # The symbols that one member needs, and no other defines.
    archives=("$build/libruntime_$level.a" "$build/libprobes_$level.a")
    # A probe with many arguments, in the user's own code at -Os, may be put together by such a call.
    [[ $target-$level != rv32-Os && $target != cortex-m0 ]] || unset 'archives[1]'
    defined=$(llvm-nm-19 --defined-only --extern-only --format=just-symbols "${archives[@]}")
    undefined=$(llvm-nm-19 --undefined-only --format=just-symbols "${archives[@]}" |
      grep -v -e '^$' -e ':$' | sort -u | comm -23 - <(printf '%s\n' "$allowed" "$defined" | sort -u))
    [[ -z $undefined ]] || fail "$name: undefined:" "${undefined//$'\n'/ }"

    sections=$(llvm-readelf-19 -SW "${archives[@]}" |
      grep -o -E ' \.(init_array|preinit_array|fini_array|ctors|dtors|tdata|tbss)[^ ]*' || true)
    [[ -z $sections ]] || fail "$name: static constructors or thread-local data:" "${sections//$'\n'/ }"
  done

  # With tracing compiled out nothing is left of the probes, and the runtime still compiles.
  asked=$(llvm-nm-19 --undefined-only --format=just-symbols "$build/libprobes_disabled.a" |
    grep -v -e '^$' -e ':$' | sort -u || true)
  [[ -z $asked ]] || fail "$compiler-disabled: disabled probes ask for:" "${asked//$'\n'/ }"
done
((failures == 0))
