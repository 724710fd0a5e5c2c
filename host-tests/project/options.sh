#!/usr/bin/env bash
# Each option of runtime/include/barefxt/config.h, set by itself to each value below, compiles: for this machine, and by
# turns for a Cortex-M0, a Cortex-M3 or AArch64, with BAREFXT_FULL=1 for all of them. So do builds in which any two of these
# values meet: 8 of them by default, with BAREFXT_FULL=1 all, at most 60.
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
BAREFXT_STRINGS_IN_ELF 1
BAREFXT_FAST_PATHS 0
BAREFXT_FUNCTIONS 1
BAREFXT_CALL_LIMITS 0
BAREFXT_DUMP_FORMS 1 2 3 5 6
BAREFXT_CLEAN_CACHES 0
BAREFXT_SELF_TEST 0
BAREFXT_LOCK_CATEGORY 27
BAREFXT_SAMPLE_CATEGORY 21
BAREFXT_HEAP_CATEGORY 20
BAREFXT_SAMPLE_CALLERS 62
BAREFXT_STACK_CATEGORY 22
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
compile() { # OPTIONS PORT COMPILER...: options apart by spaces
  local option=$1 port=$source/port/arch/$2 defines
  shift 2
  read -r -a defines <<<"$option"
  "$@" -std=c++17 -fsyntax-only -Wall -Wextra -Werror -ffreestanding -fno-exceptions -fno-rtti "${defines[@]/#/-D}" -I"$work" \
    -I"$source/runtime/include" -I"$port" "$work/barefxt.cpp" 2>"$work/log" || {
    echo "FAILED: $option, $port"
    grep -m 3 error "$work/log" || cat "$work/log"
    failures=$((failures + 1))
  }
}

compile_for() { # MACHINE OPTIONS
  case $1 in
  0) compile "$2" armv7m arm-none-eabi-g++ -mcpu=cortex-m3 -mthumb -DBAREFXT_ARMV7M_FREQUENCY=1 ;;
  1) compile "$2" aarch64 aarch64-linux-gnu-g++ -mgeneral-regs-only ;;
  2) compile "$2" host g++ ;;
  # It has one CPU.
  3) [[ $2 == BAREFXT_MAX_CPUS=* ]] ||
    compile "$2" armv6m arm-none-eabi-g++ -mcpu=cortex-m0 -mthumb -DBAREFXT_ARMV6M_FREQUENCY=1 -DBAREFXT_MAX_CPUS=1 ;;
  esac
}

others=(0 1 3)
number=0
while read -r name list; do
  [[ -n $name ]] || continue
  for value in $list; do
    machines=(2 "${others[number++ % 3]}")
    [[ ${BAREFXT_FULL:-0} != 1 ]] || machines=(0 1 2 3)
    for machine in "${machines[@]}"; do
      compile_for "$machine" "$name=$value"
    done
  done
done <<<"$values"

# The pairs that config.h refuses. BAREFXT_SMALL=2 is BAREFXT_LINEAR unless that is 0, which is a value of its
# own here. BAREFXT_DISABLED leaves nothing that could meet.
linear='MAX_CPUS=2 MAX_CPUS=32 MAX_THREADS=600 MODES=2 MODES=3 MODES=4 MODES=5 MODES=6 INLINE_THREADS=1 END_RECORDS=1
  FUNCTIONS=1 WAY_BACK=1 RESEND_SEGMENTS=4 RETAINED=1 DUMP_FORMS=5 DUMP_FORMS=6'
forbid='BAREFXT_END_RECORDS=1 BAREFXT_INLINE_THREADS=0; BAREFXT_MAX_THREADS=600 BAREFXT_INLINE_THREADS=0'
for other in $linear; do
  forbid+="; BAREFXT_SMALL=2 BAREFXT_$other"
done
most=8
[[ ${BAREFXT_FULL:-0} != 1 ]] || most=0
sed -E '/^BAREFXT_(LINEAR|DISABLED) /d; s/^(BAREFXT_SMALL) .*/\1 - 1 2 2,BAREFXT_LINEAR=0/
  s/^(BAREFXT_INLINE_THREADS) .*/\1 0 1/; t; s/^([A-Z_]+) /\1 - /' <<<"$values" |
  awk -v forbid="$forbid" -v most="$most" -f "$source/host-tests/project/covering_array.awk" >"$work/builds"
uncovered=$(sed -n 's/^uncovered //p' "$work/builds")
builds=$(grep -c '^BAREFXT_' "$work/builds")
if ((most == 0 ? uncovered != 0 || builds > 60 : builds != most)); then
  echo "FAILED: $builds builds leave $uncovered pairs of options out"
  failures=$((failures + 1))
fi
number=0
while read -r options; do
  compile_for $((number++ % 3)) "$options"
done < <(grep '^BAREFXT_' "$work/builds")
((failures == 0))
