#!/usr/bin/env bash
# compare.sh BAREFXT CAPTURE ARCHIVE STATISTICS: the archive has what the image counted ("counted: name=number ...", counts.c), and nothing
# is lost.
set -euo pipefail
barefxt=$1 capture=$2 archive=$3 statistics=$4
name=$(basename "$capture" .raw)
fail() {
  echo "FAILED: $name: $*"
  exit 1
}
grep -q '^Losses: none' "$statistics" || fail "records are lost"
counted=$(grep -a -o 'counted: .*' "$capture" | tr -d '\r')
[[ $counted == *switches=* && $counted == *created=* ]] || fail "the image counted nothing"
"$barefxt" print --json "$archive" >"$archive.json"
for pair in ${counted#counted: }; do
  case ${pair%%=*} in
  switches) found=$(grep -c '"record":"context_switch"' "$archive.json" || true) ;;
  interrupts) found=$(awk '/^[A-Z]/ { on = /^Interrupts / } on && /^cpu/ { sub(/^cpu [0-9]+ [^ ]+ */, ""); sum += $1 } END { print sum + 0 }' "$statistics") ;;
  created) found=$(grep -c '"name":"thread created"' "$archive.json" || true) ;;
  priorities) found=$(grep -c '"name":"priority changed"' "$archive.json" || true) ;;
  *) found=nothing ;;
  esac
  [[ $found == "${pair#*=}" ]] || fail "counted $pair, and found $found"
done
echo "$name: $(wc -l <"$archive.json") records, $counted"
