#!/usr/bin/env bash
# Each option of runtime/include/barefxt/config.h, set by itself to each value below, compiles: for this machine, a
# Cortex-M0, a Cortex-M3 and AArch64.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work"

# An option and the values beside its default.
values='
BAREFXT_MAX_CPUS 1 2 32
BAREFXT_SEGMENT_BYTES 512 16384
BAREFXT_MAX_THREADS 1 32 600
BAREFXT_RETAINED 1
BAREFXT_WAY_BACK 1
BAREFXT_RESEND_SEGMENTS 4
BAREFXT_SMALL 1 2
BAREFXT_LINEAR 0
BAREFXT_MODES 1 2 3 4 5 6
BAREFXT_SNAPSHOTS 0
BAREFXT_TRIGGERS 0
BAREFXT_INLINE_THREADS 0
BAREFXT_REUSE_ENTRIES 0
BAREFXT_END_RECORDS 1
BAREFXT_FAST_PATHS 0
BAREFXT_FUNCTIONS 1
BAREFXT_CALL_LIMITS 0
BAREFXT_DUMP_FORMS 1 2 3 5 6
BAREFXT_CLEAN_CACHES 0
BAREFXT_SELF_TEST 0
BAREFXT_DISABLED 1
'
defined=$(sed -n 's/^#ifndef \(BAREFXT_.*\)/\1/p' "$source/runtime/include/barefxt/config.h" | grep -v -x BAREFXT_CONFIG_H | sort)
listed=$(awk 'NF { print $1 }' <<<"$values" | sort)
[[ $defined == "$listed" ]] || {
  echo "FAILED: config.h and this list differ:"
  diff <(echo "$defined") <(echo "$listed")
  exit 1
}

# Each is a CMake variable, too.
for option in $listed; do
  grep -q -E "^ *(foreach\\(option )?[A-Z_ ]*\\b${option#BAREFXT_}\\b" "$source/runtime/CMakeLists.txt" || {
    echo "FAILED: $option is no option of runtime/CMakeLists.txt"
    exit 1
  }
done

awk -v folders="$source/runtime/include" -f "$source/toolchain/amalgamate.awk" \
  "$source/runtime/include/barefxt/barefxt.h" >"$work/barefxt.h"
awk -v folders="$source/runtime/include:$source/runtime/src" -v ahead=barefxt/barefxt.h \
  -f "$source/toolchain/amalgamate.awk" "$source"/runtime/src/*.cpp >"$work/barefxt.cpp"

failures=0
compile() { # OPTION PORT COMPILER...
  local option=$1 port=$source/port/arch/$2
  shift 2
  "$@" -std=c++17 -fsyntax-only -Wall -Wextra -Werror -ffreestanding -fno-exceptions -fno-rtti "-D$option" -I"$work" \
    -I"$source/runtime/include" -I"$port" "$work/barefxt.cpp" 2>"$work/log" || {
    echo "FAILED: $option, $port"
    grep -m 3 error "$work/log" || cat "$work/log"
    failures=$((failures + 1))
  }
}

while read -r name list; do
  [[ -n $name ]] || continue
  for value in $list; do
    option=$name=$value
    compile "$option" host g++
    compile "$option" aarch64 aarch64-linux-gnu-g++ -mgeneral-regs-only
    compile "$option" armv7m arm-none-eabi-g++ -mcpu=cortex-m3 -mthumb -DBAREFXT_ARMV7M_FREQUENCY=1
    # It has one CPU.
    [[ $name == BAREFXT_MAX_CPUS ]] ||
      compile "$option" armv6m arm-none-eabi-g++ -mcpu=cortex-m0 -mthumb -DBAREFXT_ARMV6M_FREQUENCY=1 -DBAREFXT_MAX_CPUS=1
  done
done <<<"$values"
((failures == 0))
