#!/usr/bin/env bash
# check.sh BAREFXT FOLDER KERNEL: FOLDER/trace.raw, which one of the applications here sent, has what the application
# and the kernel counted ("counted: name=number ..."), and stats alone find the inversion that was planted.
set -euo pipefail
barefxt=$1 work=$2 kernel=$3
fail() {
  cat "$work/stats"
  echo "FAILED: $kernel: $*"
  exit 1
}
"$barefxt" rebuild "$work/trace.raw" -o "$work/trace.fxt"
"$barefxt" lint "$work/trace.fxt"
"$barefxt" doctor "$work/trace.raw"
"$barefxt" stats "$work/trace.fxt" >"$work/stats"

section() { # PATTERN: the lines behind the title that begins so
  awk -v pattern="$1" '/^[A-Z]/ { on = $0 ~ pattern; next } on' "$work/stats"
}
counted=$(grep -a -o 'counted: .*' "$work/trace.raw") || fail "the application says nothing"
for pair in ${counted#counted: }; do
  value=${pair#*=}
  value=${value%%[^0-9]*}
  case ${pair%%=*} in
    bus_waits) found=$(section '^Waits for locks' | awk '/^ +for logger/ { print $3; exit }') ;;
    switches) found=$(awk 'match($0, /context_switch +[0-9]+/) { split(substr($0, RSTART, RLENGTH), words); print words[2]; exit }' "$work/stats") ;;
    switches_[01]) found=$("$barefxt" print "$work/trace.fxt" | grep -c " context switch  *cpu ${pair:9:1} ") ;;
    interrupts) found=$(section '^Interrupts ' | awk '/^cpu/ { sub(/^cpu [0-9]+ [^ ]+ */, ""); sum += $1 } END { print sum + 0 }') ;;
    ticks) found=$(awk '/^cpu 0 tick +/ { print $4; exit }' "$work/stats") ;;
    packets) found=$(section '^Not announced' | awk '/^cpu 0 irq 25 / { print $5 }') ;;
    blocks) found=$("$barefxt" stats --heap "$work/trace.fxt" | sed -n '1s/.* in \([0-9]*\) blocks.*/\1/p') ;;
    kept_bytes) found=$("$barefxt" stats --heap "$work/trace.fxt" | sed -n 's/^Live at the end: \([0-9]*\) bytes.*/\1/p') ;;
    *) fail "counted ${pair%%=*}, which no check compares" ;;
  esac
  echo "$kernel: $value ${pair%%=*} counted, $found in the trace"
  ((value > 0 && found == value)) || fail "$found ${pair%%=*} in the trace, and $value were counted"
done

# Sentences go on in lines that are indented.
sed -z 's/\n    / /g' "$work/stats" |
  grep -E '^Priority inversion: sensor waited for logger, which held .*, while worker ran: ([5-9]|[1-9][0-9]+) waits' || fail "stats do not find the inversion"
grep -q '^Losses: none' "$work/stats" || fail "records are lost"
echo 'priority_inversion count = 0' >"$work/budget"
status=0
"$barefxt" stats "$work/trace.fxt" --budget "$work/budget" >"$work/judged" || status=$?
((status == 1)) || fail "a budget without inversions ends with status $status"
