#!/usr/bin/env bash
# Captures of examples/pico on an RP2040 (rp2040js 1.4.1, Pico SDK 2.2.0, FreeRTOS of July 2026) have what the programs did, and
# which the console says: 30 rounds each. The times are the alarm's and the tick's.
#
# pico_captures.sh SOURCE WORK BUILD [LOOP FREERTOS]: other captures than those of the repository.
set -euo pipefail
captures=$1/host-tests/goldens/captures/pico work=$2 build=$3
loop=${4:-$captures/loop.raw} freertos=${5:-$captures/freertos.raw}
mkdir -p "$work"

fail() {
  echo "FAILED: $1"
  exit 1
}
read_capture() { # CAPTURE NAME
  "$build/barefxt" rebuild "$1" -o "$work/$2.fxt"
  "$build/barefxt" lint "$work/$2.fxt"
  "$build/barefxt" doctor "$1"
  "$build/barefxt" stats "$work/$2.fxt" >"$work/$2.stats"
  grep -q '^Losses: none' "$work/$2.stats" || fail "$2: records are lost"
}
check() { # NAME RULES
  echo "$2" >"$work/$1.rules"
  "$build/barefxt" check "$work/$1.rules" "$work/$1.fxt" || fail "$1: the trace does not keep the rules above"
}

read_capture "$loop" loop
grep -a -q 'done: [0-9]* samples' "$loop" || fail "loop: the program has not ended"
check loop 'every 1ms +-30us irq "alarm"
every 5ms +-100us slice "filter"
slice "filter" lasts < 1ms
after thread "loop/0" wakes within 20us thread "loop/0" runs'
[[ $(grep -c '^control filter  *30 ' "$work/loop.stats") == 1 ]] || fail "loop: not 30 rounds"

read_capture "$freertos" freertos
grep -a -q 'done: 30 rounds' "$freertos" || fail "freertos: the program has not ended"
check freertos 'every 1ms +-30us irq "tick"
never thread "log" runs while slice "read"
after thread "control" wakes within 20us thread "control" runs
slice "mutex take" lasts < 2ms'
[[ $(grep -c '^control read  *30 ' "$work/freertos.stats") == 1 ]] || fail "freertos: not 30 rounds"
grep -q '^bus, mutex take  *[1-9]' "$work/freertos.stats" || fail "freertos: nobody waits for the bus"
# An idle thread is created ready, and waits until there is nothing else to do: that is no latency.
grep -q '^Worst wakeup to run: log, ' "$work/freertos.stats" || fail "freertos: the worst latency is not that of a task"
