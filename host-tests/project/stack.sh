#!/usr/bin/env bash
# Measures what calls of the runtime take of their caller's stack: the table of docs/reference/stack.md, for one CPU, from GCC's call
# graphs at -O2: for a Cortex-M3, with BAREFXT_FULL=1 for each target. On a Cortex-M3 in QEMU each call is made on a painted stack, and takes no more than
# that. With BAREFXT_WRITE_STACK=1 the table is written.
set -euo pipefail
source=$1 work=$2
page=$source/docs/reference/stack.md
rm -rf "$work"
mkdir -p "$work"
here=$source/host-tests/project

awk -v folders="$source/runtime/include" -f "$source/toolchain/amalgamate.awk" \
  "$source/runtime/include/barefxt/barefxt.h" >"$work/barefxt.h"
awk -v folders="$source/runtime/include:$source/runtime/src" -v ahead=barefxt/barefxt.h \
  -f "$source/toolchain/amalgamate.awk" "$source"/runtime/src/*.cpp >"$work/barefxt.cpp"

# Calls from deep within other code, calls of tasks, and calls that send.
calls=(barefxt_context_switch barefxt_thread_wakeup barefxt_write_event_0 barefxt_write_event_2 barefxt_event barefxt_lock_acquired
  barefxt_lock_contended barefxt_interrupt_enter barefxt_thread_register barefxt_start barefxt_stop barefxt_close barefxt_snapshot
  barefxt_dump barefxt_dump_fxt barefxt_drain)
# Twice: with records coded, and without that.
coded=(barefxt_dump barefxt_drain)

targets=(cortex-m0 cortex-m3 rv32 rv64 armv7a aarch64 x86_64)
tried=("${targets[@]}")
[[ ${BAREFXT_FULL:-0} == 1 || ${BAREFXT_WRITE_STACK:-0} == 1 ]] || tried=(cortex-m3)
port_of() {
  case $1 in
  cortex-m0) echo armv6m arm-none-eabi-g++ -mcpu=cortex-m0 -mthumb -DBAREFXT_ARMV6M_FREQUENCY=1 ;;
  cortex-m3) echo armv7m arm-none-eabi-g++ -mcpu=cortex-m3 -mthumb -DBAREFXT_ARMV7M_FREQUENCY=1 ;;
  rv32) echo riscv riscv64-unknown-elf-g++ -march=rv32imac_zicsr -mabi=ilp32 -DBAREFXT_RISCV_FREQUENCY=1 ;;
  rv64) echo riscv riscv64-unknown-elf-g++ -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -DBAREFXT_RISCV_FREQUENCY=1 ;;
  armv7a) echo armv7a arm-none-eabi-g++ -mcpu=cortex-a15 -marm -mfloat-abi=soft ;;
  aarch64) echo aarch64 aarch64-linux-gnu-g++ -mgeneral-regs-only -mno-outline-atomics ;;
  # Else the compiler does not count what calls push.
  x86_64) echo x86_64 g++ -mno-red-zone -mgeneral-regs-only -maccumulate-outgoing-args ;;
  esac
}

needs() { # TARGET FORMS FUNCTION...: a line for each
  local target=$1 forms=$2 port
  shift 2
  read -r -a port <<<"$(port_of "$target")"
  "${port[@]:1}" -std=c++17 -O2 -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-pic -fomit-frame-pointer \
    -fno-tree-loop-distribute-patterns -fcallgraph-info=su -DBAREFXT_MAX_CPUS=1 -DBAREFXT_DUMP_FORMS="$forms" -I"$work" \
    -I"$source/runtime/include" -I"$source/port/arch/${port[0]}" -c -o "$work/$target.o" "$work/barefxt.cpp"
  awk -v wanted="$*" -v indirect='6Buffer5writeE' -f "$here/stack.awk" "$work/$target.ci"
}

# The hooks of each kernel in a stand-in, with all of the runtime that they call: the one that takes most.
kernels=(freertos threadx lk nuttx zephyr)
levels=(-O2 -Os)
hooks() { # TARGET LEVEL: a line for each kernel
  local target=$1 level=$2 port kernel flags list file
  read -r -a port <<<"$(port_of "$target")"
  flags=("$level" -ffreestanding -fno-pic -fomit-frame-pointer -fno-tree-loop-distribute-patterns -fcallgraph-info=su
    -DBAREFXT_MAX_CPUS=1 -DSTAND_IN_CALLS=1 -DBAREFXT_LK_TIMER_INTERRUPT=27 -DBAREFXT_NUTTX_TIMER_INTERRUPT=27
    "-I$source/runtime/include" "-I$source/port/arch/${port[0]}" "-I$source/host-tests/rtos")
  "${port[@]:1}" -std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics "${flags[@]}" -I"$work" -c -o "$work/runtime.o" \
    "$work/barefxt.cpp"
  for kernel in "${kernels[@]}"; do
    rm -f "$work"/hooks_*
    for file in "$source/port/rtos/$kernel"/*.c; do
      "${port[1]%g++}gcc" "${port[@]:2}" "${flags[@]}" "-I$source/host-tests/rtos/$kernel" "-I$source/port/rtos/$kernel" -c \
        -o "$work/hooks_$(basename "$file" .c).o" "$file"
    done
    # All functions, since a kernel also calls static ones, by their addresses. The call graph names those with their file.
    list=$(sed -n 's/^node: { title: "\([^"]*\)".* bytes (.*/\1/p' "$work"/hooks_*.ci | tr '\n' ' ')
    awk -v wanted="$list" -v indirect='6Buffer5writeE' -f "$here/stack.awk" "$work/runtime.ci" "$work"/hooks_*.ci |
      awk -v kernel="$kernel" -v level="$level" '/FAILED/ { print } $2 > most { most = $2 } END { print "hooks_of_" kernel "," level, most }'
    # Without what they call of the runtime.
    awk -v wanted="$list" -f "$here/stack.awk" "$work"/hooks_*.ci | sort -k 2 -n | awk -v kernel="$kernel" 'END { print kernel, $2 }' >>"$work/$target$level.own"
  done
}

# A line for each call, a number for each target.
for target in "${tried[@]}"; do
  {
    needs "$target" 3 "${calls[@]}"
    needs "$target" 7 "${coded[@]}" | sed 's/^\([a-z_]*\) /\1_coded /'
  } >"$work/$target.needs"
  ! grep FAILED "$work/$target.needs" || exit 1
done

# On a painted stack. The functions around the calls take a little themselves.
image=$here/image/armv7m
arm-none-eabi-g++ -std=c++17 -O2 -mcpu=cortex-m3 -mthumb -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics \
  -fno-tree-loop-distribute-patterns -DBAREFXT_MAX_CPUS=1 -DBAREFXT_ARMV7M_COUNTER=0x40000004 -DBAREFXT_ARMV7M_COUNTS_DOWN=1 \
  -DBAREFXT_ARMV7M_FREQUENCY=25000000 -I"$work" -I"$source/runtime/include" -I"$source/port/arch/armv7m" -I"$image" -nostdlib -static \
  -Wl,--build-id=none -L"$source/linker" -T "$image/image.ld" -o "$work/painted" "$image/start.S" -x c++ "$here/stack/painted.c" \
  "$work/barefxt.cpp"
"$here/image/run.sh" "$source" cortex-m3 "$work/painted" "$work/painted.txt"
sed -n 's/^STACK //p' "$work/painted.txt" | tr -d '\r' >"$work/painted.needs"
around=24
failures=0
while read -r name bytes; do
  painted=$(awk -v name="$name" '$1 == name { print $2 }' "$work/painted.needs")
  if [[ -z $painted ]] || ((painted > bytes + around || painted < 8)); then
    echo "FAILED: $name took ${painted:-no} bytes of a painted stack, and may take $bytes"
    failures=$((failures + 1))
  fi
done <"$work/cortex-m3.needs"
# A function that is taken through its longest way.
awk '$1 == "barefxt_dump_coded" && $2 > 1000 { found = 1 } END { exit !found }' "$work/painted.needs" || {
  echo "FAILED: a coded dump took less of a painted stack than its coder's table"
  failures=$((failures + 1))
}

# These are not painted.
for target in "${tried[@]}"; do
  for level in "${levels[@]}"; do hooks "$target" "$level"; done >"$work/$target.hooks"
  ! grep FAILED "$work/$target.hooks" || exit 1
  cat "$work/$target.hooks" >>"$work/$target.needs"
  cut -d ' ' -f 2 "$work/$target.needs" >"$work/$target.column"
done

# The page has the sentence "... the hooks' own functions take: freertos 188, threadx 128, ... bytes."
own=$(sed -n "s/.*hooks' own functions [^:]*: \([^.]*\) bytes.*/\1/p" "$page")
while read -r kernel bytes; do
  documented=$(sed -n "s/.*$kernel \([0-9]*\).*/\1/p" <<<"$own")
  if ((bytes * 10 > ${documented:-0} * 11 || bytes * 10 < ${documented:-0} * 9)); then
    echo "FAILED: docs/reference/stack.md has ${documented:-no} bytes of $kernel's own hooks, -Os, on a Cortex-M3; it is $bytes"
    failures=$((failures + 1))
  fi
done <"$work/cortex-m3-Os.own"

quote='`'
columns=()
for target in "${targets[@]}"; do
  [[ -e $work/$target.column ]] || sed 's/.*/-/' "$work/cortex-m3.needs" >"$work/$target.column"
  columns+=("$work/$target.column")
done
{
  echo "| call$(printf ' | %s' "${targets[@]}") | painted |"
  echo "|---|$(printf -- '---|%.0s' "${targets[@]}")---|"
  cut -d ' ' -f 1 "$work/cortex-m3.needs" | sed -e "s/^\(.*\)_coded$/$quote\1$quote, coded/; s/^barefxt[a-z0-9_]*$/$quote&$quote/" -e 's/^hooks_of_\(.*\),-/hooks of \1, -/' >"$work/names"
  awk '{ print $1 }' "$work/cortex-m3.needs" | while read -r name; do
    awk -v name="$name" '$1 == name { found = $2 } END { print found == "" ? "-" : found }' "$work/painted.needs"
  done >"$work/painted.column"
  paste -d '|' "$work/names" "${columns[@]}" "$work/painted.column" | sed 's/|/ | /g; s/^/| /; s/$/ |/'
} >"$work/table"

begin='<!-- project/stack.sh writes this -->' end='<!-- to here -->'
if [[ ${BAREFXT_WRITE_STACK:-0} == 1 ]]; then
  awk -v begin="$begin" -v end="$end" -v table="$work/table" '
    $0 == end { inside = 0 } !inside { print } $0 == begin { inside = 1; print ""; while ((getline line < table) > 0) print line; print "" }' \
    "$page" >"$work/page"
  cp "$work/page" "$page"
fi
awk -v begin="$begin" -v end="$end" '$0 == end { inside = 0 } inside && /^[|]/ { print } $0 == begin { inside = 1 }' "$page" >"$work/documented"
# Another compiler's frames may differ by a few words.
paste -d '\n' "$work/documented" "$work/table" | awk -F ' *[|] *' '
  NR % 2 == 1 { split($0, documented, / *[|] */); line = $0; next }
  NF < 3 || documented[2] != $2 { print "FAILED: docs/reference/stack.md has: " line "; it is: " $0; failed = 1; next }
  { for (i = 3; i < NF; ++i) if ($i ~ /^[0-9]+$/ && ($i > documented[i] * 1.1 || $i < documented[i] * 0.9)) {
      print "FAILED: docs/reference/stack.md has: " line "; it is: " $0; failed = 1; break } }
  END { exit failed || NR < 2 * 28 }' || failures=$((failures + 1))
((failures == 0)) || {
  echo "With BAREFXT_WRITE_STACK=1 the table is written."
  exit 1
}
