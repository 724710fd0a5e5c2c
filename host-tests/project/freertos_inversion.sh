#!/usr/bin/env bash
# freertos_inversion.sh BAREFXT FOLDER: FOLDER/trace.raw, which examples/freertos sends, has what its application did.
set -euo pipefail
barefxt=$1 work=$2
"$barefxt" rebuild "$work/trace.raw" -o "$work/trace.fxt"
"$barefxt" lint "$work/trace.fxt"
"$barefxt" stats "$work/trace.fxt" >"$work/stats"
# Sentences go on in lines that are indented.
sed -z 's/\n    / /g' "$work/stats" >"$work/sentences"
expect() {
  cat "$work/stats" "$work/sentences" | grep -E "$1" >/dev/null || {
    cat "$work/stats"
    echo "FAILED: stats say nothing of: $1"
    exit 1
  }
}
expect 'Priority inversion: sensor waited for logger, which held bus .*, while worker ran: ([5-9]|[1-9][0-9]+) waits'
expect '^ +for logger [0-9]+ times'
expect '^bus, semaphore take '
expect '^sensor +4[89] ' # jobs
expect '^Losses: none'
echo 'priority_inversion count = 0' >"$work/budget"
status=0
"$barefxt" stats "$work/trace.fxt" --budget "$work/budget" >"$work/judged" || status=$?
((status == 1)) || {
  cat "$work/judged"
  echo "FAILED: a budget without inversions ends with status $status"
  exit 1
}
