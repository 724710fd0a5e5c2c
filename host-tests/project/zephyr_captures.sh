#!/usr/bin/env bash
# Captures of the real Zephyr in QEMU, of its own tests as the application, have what the image counted by itself: it wrapped the kernel's
# hooks ("counted: name=number ...").
set -euo pipefail
source=$1 work=$2 build=$3
rm -rf "$work"
mkdir -p "$work"
shopt -s nullglob
captures=("$source"/host-tests/goldens/captures/zephyr/*.raw)
((${#captures[@]} >= 4)) || {
  echo "FAILED: only ${#captures[@]} captures"
  exit 1
}
for capture in "${captures[@]}"; do
  name=$(basename "$capture" .raw)
  archive=$work/$name.fxt
  "$build/barefxt" rebuild "$capture" -o "$archive"
  "$build/barefxt" lint "$archive"
  "$build/barefxt" doctor "$capture"
  "$build/barefxt" stats "$archive" >"$work/$name.stats"
  "$build/barefxt" print --json "$archive" >"$work/$name.json"
  grep -q '^Losses: none' "$work/$name.stats" || {
    echo "FAILED: $name: records are lost"
    exit 1
  }
  counted=$(grep -a -o 'counted: .*' "$capture" | tr -d '\r')
  [[ $counted == *switches=* && $counted == *created=* ]] || {
    echo "FAILED: $name: the image counted nothing"
    exit 1
  }
  for pair in ${counted#counted: }; do
    case ${pair%%=*} in
    switches) found=$(grep -c '"record":"context_switch"' "$work/$name.json" || true) ;;
    interrupts) found=$(awk '/^[A-Z]/ { on = /^Interrupts / } on && /^cpu/ { sub(/^cpu [0-9]+ [^ ]+ */, ""); sum += $1 } END { print sum + 0 }' "$work/$name.stats") ;;
    created) found=$(grep -c '"name":"thread created"' "$work/$name.json" || true) ;;
    priorities) found=$(grep -c '"name":"priority changed"' "$work/$name.json" || true) ;;
    *) found=nothing ;;
    esac
    [[ $found == "${pair#*=}" ]] || {
      echo "FAILED: $name: counted $pair, and found $found"
      exit 1
    }
  done
  echo "$name: $counted"
done
# The CPU knows the timer's number there.
grep -q '^cpu 0 tick ' "$work/rv32-timer.stats" || {
  cat "$work/rv32-timer.stats"
  echo "FAILED: rv32-timer: the tick has no name"
  exit 1
}
