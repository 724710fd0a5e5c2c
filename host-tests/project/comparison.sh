#!/usr/bin/env bash
# Builds and runs programs that count the cost of records, ours and other tracers': the tables of
# docs/reference/comparison.md. Peers' sources are where these variables say, and none of them is here:
#   BAREFXT_SYSTEMVIEW_DIR, BAREFXT_RTT_DIR        SEGGERMicro/SystemView and SEGGERMicro/RTT
#   BAREFXT_CMSIS_VIEW_DIR, BAREFXT_CMSIS_DIR      ARM-software/CMSIS-View and CMSIS_6
#   BAREFXT_TONBANDGERAET_DIR, BAREFXT_FREERTOS_DIR  schilkp/Tonbandgeraet, with FreeRTOS-Kernel's headers
#   BAREFXT_FIREDANCER_DIR                         firedancer-io/firedancer
# and Debian's liblttng-ust-dev, lttng-tools and libnewlib-arm-none-eabi. Skipped without these. With BAREFXT_WRITE_COMPARISON=1
# it writes the tables, otherwise it holds them to the page: figures of instructions within a fiftieth, or 2.
set -euo pipefail
source=$1 work=$2
here=$source/host-tests/project/comparison page=$source/docs/reference/comparison.md
for folder in SYSTEMVIEW RTT CMSIS_VIEW CMSIS TONBANDGERAET FREERTOS FIREDANCER; do
  variable=BAREFXT_${folder}_DIR
  [[ -d ${!variable:-} ]] || {
    echo "SKIPPED: $variable is not a folder"
    exit 77
  }
done
if ! command -v lttng-sessiond >/dev/null || ! gcc -E -x c -include lttng/tracepoint.h /dev/null >/dev/null 2>&1; then
  echo "SKIPPED: no LTTng. Hint: the packages lttng-tools and liblttng-ust-dev"
  exit 77
fi
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb --specs=nano.specs -nostartfiles -Wl,--entry=0 -x c /dev/null -o /dev/null 2>/dev/null || {
  echo "SKIPPED: no newlib for Cortex-M. Hint: the package libnewlib-arm-none-eabi"
  exit 77
}
[[ $(uname -m) == x86_64 ]] || {
  echo "SKIPPED: half of it is about x86-64"
  exit 77
}
rm -rf "$work"
mkdir -p "$work"

build() { # FOLDER TRACER LEVEL OPTION...
  {
    cmake -S "$here" -B "$work/$1" -G Ninja -DBAREFXT_SOURCE="$source" -DTRACER="$2" -DLEVEL="$3" "${@:4}" &&
      cmake --build "$work/$1"
  } >"$work/$1.log" 2>&1 || {
    tail -n 20 "$work/$1.log"
    echo "FAILED: $1 does not build"
    exit 1
  }
}

complete() { # FILE: it has all operations
  grep -qx end "$1" || {
    cat "$1"
    echo "FAILED: $1 is not complete"
    exit 1
  }
  sed -i '/^end$/d' "$1"
}

on_cortex_m3() { # NAME TRACER OPTION...
  build "$1-O2" "$2" -O2 -DCMAKE_TOOLCHAIN_FILE="$source/toolchain/cortex-m3-gcc.cmake" "${@:3}"
  build "$1-Os" "$2" -Os -DCMAKE_TOOLCHAIN_FILE="$source/toolchain/cortex-m3-gcc.cmake" "${@:3}"
  "$source/host-tests/project/image/run.sh" "$source" cortex-m3 "$work/$1-O2/cortex_m3.elf" "$work/$1.m3" 2>/dev/null
  complete "$work/$1.m3"
  arm-none-eabi-size "$work/$1-Os/flash.elf" "$work/$1-Os/without.elf" |
    awk 'NR > 1 { size[NR] = $1 + $2 } END { print size[2] - size[3] }' >"$work/$1.flash"
}

join() { # FOLDER FILE...: a list for CMake
  local folder=$1
  shift
  printf "$folder/%s;" "$@"
}

on_cortex_m3 barefxt barefxt
on_cortex_m3 small barefxt -DBAREFXT_SMALL=2
on_cortex_m3 systemview systemview \
  -DSOURCES="$(join "$BAREFXT_SYSTEMVIEW_DIR" SYSVIEW/SEGGER_SYSVIEW.c)$(join "$BAREFXT_RTT_DIR" RTT/SEGGER_RTT.c RTT/SEGGER_RTT_ASM_ARMv7M.S)" \
  -DINCLUDES="$(join "$BAREFXT_SYSTEMVIEW_DIR" SYSVIEW SEGGER Config)$(join "$BAREFXT_RTT_DIR" RTT Config)"
on_cortex_m3 event_recorder event_recorder -DSOURCES="$BAREFXT_CMSIS_VIEW_DIR/EventRecorder/Source/EventRecorder.c" \
  -DINCLUDES="$BAREFXT_CMSIS_VIEW_DIR/EventRecorder/Include;$BAREFXT_CMSIS_DIR/CMSIS/Core/Include"
on_cortex_m3 tonbandgeraet tonbandgeraet \
  -DSOURCES="$(join "$BAREFXT_TONBANDGERAET_DIR/tband/src" tband.c tband_backend.c tband_freertos.c)" \
  -DINCLUDES="$(join "$BAREFXT_TONBANDGERAET_DIR/tband" inc portable/GCC_ARM_CM4F)$(join "$BAREFXT_FREERTOS_DIR" include portable/GCC/ARM_CM3)"

build barefxt-x86 barefxt -O2
# As in its own build for such a machine.
build fd_fxt-x86 fd_fxt -O2 -DSOURCES="$(join "$BAREFXT_FIREDANCER_DIR/src/tango" mcache/fd_mcache.c dcache/fd_dcache.c)" \
  -DINCLUDES="$BAREFXT_FIREDANCER_DIR/src" \
  -DDEFINITIONS="-std=gnu17;-D_XOPEN_SOURCE=700;$(printf -- '-DFD_HAS_%s=1;' HOSTED ATOMIC THREADS INT128 DOUBLE ALLOCA X86 SSE)-msse4.2"
build lttng-x86 lttng -O2 -DLIBRARIES="lttng-ust;dl"
for name in barefxt fd_fxt; do
  timeout 100 "$work/$name-x86/x86_64" >"$work/$name.x86"
  complete "$work/$name.x86"
done

# A daemon of our own, so that sessions of others stay as they are.
export LTTNG_HOME=$work/lttng LTTNG_RUNDIR=$work/lttng/run
mkdir -p "$LTTNG_RUNDIR"
lttng-sessiond --no-kernel --daemonize --pidfile="$work/lttng/pid" 2>"$work/lttng.log"
trap 'lttng destroy --all >/dev/null 2>&1 || true; kill "$(cat "$work/lttng/pid")" 2>/dev/null || true' EXIT
session() { # NAME PROGRAM ARGUMENT...: records what the program does
  {
    lttng create "$1" --output="$work/lttng/$1" && lttng enable-event -s "$1" -u 'comparison:*' && lttng start "$1"
  } >>"$work/lttng.log" 2>&1
  timeout 100 taskset -c 0 "${@:2}"
  { lttng stop "$1" && lttng destroy "$1"; } >>"$work/lttng.log" 2>&1
}
# Now and then a call changes its buffer: the least of five runs.
for run in 1 2 3 4 5; do
  session "counted$run" "$work/lttng-x86/x86_64" >"$work/lttng.counts$run"
  complete "$work/lttng.counts$run"
done
awk -F '|' '!($1 in least) { order[++rows] = $1; least[$1] = $2 } $2 < least[$1] { least[$1] = $2 }
  END { for (row = 1; row <= rows; ++row) print order[row] "|" least[order[row]] }' "$work"/lttng.counts? >"$work/lttng.counts"
# The bytes of an event by those of many, packets and their padding included.
events=20000 which=0
while IFS='|' read -r name instructions; do
  session "filled$which" "$work/lttng-x86/x86_64" "$which" "$events"
  bytes=$(find "$work/lttng/filled$which" -name 'channel0_*' -not -path '*/index/*' -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
  echo "$name|$instructions|$(awk -v bytes="$bytes" -v events="$events" 'BEGIN { printf "%.2f", bytes / events }')"
  which=$((which + 1))
done <"$work/lttng.counts" >"$work/lttng.x86"

table() { # SUFFIX NAME...: rows of operations in the order of the first, instructions and bytes of each
  local suffix=$1
  shift
  (cd "$work" && awk -F '|' '
    FNR == 1 { ++file }
    file == 1 { order[++rows] = $1 }
    { cell[$1, file] = sprintf("%.0f; %.0f", $2, $3) }
    END {
      for (row = 1; row <= rows; ++row) {
        line = "| " order[row]
        for (i = 1; i <= file; ++i) line = line " | " ((order[row], i) in cell ? cell[order[row], i] : "-")
        print line " |"
      }
    }' "${@/%/$suffix}")
}
{
  echo
  echo "Cortex-M3, instructions and bytes of each call:"
  echo
  echo "| | barefxt | barefxt, \`BAREFXT_SMALL=2\` | SystemView over RTT | Event Recorder | Tonbandgeraet |"
  echo "|---|---|---|---|---|---|"
  table .m3 barefxt small systemview event_recorder tonbandgeraet
  cd "$work"
  echo "| flash of these calls and the start | $(cat barefxt.flash) | $(cat small.flash) | $(cat systemview.flash) | $(cat event_recorder.flash) | $(cat tonbandgeraet.flash) |"
  echo
  echo "x86-64, instructions and bytes:"
  echo
  echo "| | barefxt | Firedancer's fd_fxt | LTTng-UST |"
  echo "|---|---|---|---|"
  table .x86 barefxt fd_fxt lttng
  echo
} >"$work/tables"
cat "$work/tables"

begin='<!-- generated by host-tests/project/comparison.sh -->' end='<!-- end of the generated part -->'
if [[ -n ${BAREFXT_WRITE_COMPARISON:-} ]]; then
  awk -v begin="$begin" -v end="$end" -v tables="$work/tables" '
    $0 == end { inside = 0 }
    !inside { print }
    $0 == begin { inside = 1; while ((getline line <tables) > 0) print line }' "$page" >"$work/page"
  cp "$work/page" "$page"
  exit
fi
# Figure by figure: words must be equal, numbers as near as their kind allows.
sed -n "\,^$begin\$,,\,^$end\$,{//d;p}" "$page" | paste -d '\n' - "$work/tables" | awk '
  NR % 2 { words = split($0, stated, /[ ;|]+/); line = $0; next }
  {
    ok = split($0, now, /[ ;|]+/) == words
    for (i = 1; ok && i <= words; ++i) {
      if (stated[i] == now[i]) continue
      apart = stated[i] - now[i]
      if (apart < 0) apart = -apart
      ok = stated[i] ~ /^[0-9]+$/ && now[i] ~ /^[0-9]+$/ && (apart <= 2 || apart <= stated[i] / 50)
    }
    if (!ok) { print "FAILED: the page has" ; print line; print "and now it is"; print; failed = 1 }
  }
  END { exit failed }'
