#!/usr/bin/env bash
# A log that compiler-rt wrote, rewritten: LLVM's tools accept it, find the calls that were made in it
# and the same records as in the log itself.
set -euo pipefail
here=$1 work=$2 barefxt=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
  echo "FAILED: $*"
  exit 1
}

clang++-19 -O1 -fxray-instrument -pthread "$here/program.cpp" -o program
XRAY_OPTIONS=xray_logfile_base=log- ./program 2>messages
mv log-* log

# The records of a log as LLVM reads them, in one order, without the marker at the start of our
# blocks. Version 1 has no processes and may have other threads; before version 5 LLVM knows no CPU of
# an event.
records() { # LOG VERSION
  local without=''
  if (($2 < 5)); then without='/custom-event/s/ cpu: [0-9]*,//'; fi
  if (($2 < 3)); then without+='; s/ (thread|process): [0-9]*,//g'; fi
  llvm-xray-19 convert "$1" -m program -symbolize -f yaml | grep 'func-id' | grep -v '"barefxt' |
    sed -E "$without" | sort
}

counts='leaf=1600 leaves=800 rounds=4 twice=800'
for version in 1 3 5; do
  "$barefxt" convert log --to fdr --fdr-version "$version" -o "fdr$version" 2>"messages$version" ||
    fail "convert: $(cat "messages$version")"
  llvm-xray-19 account "fdr$version" -m program -f csv >accounted || fail "account of version $version"
  found=$(awk -F, 'NR > 1 { name = $NF; gsub(/.*::|\(.*|.*: |"/, "", name); print name "=" $2 }' accounted |
    sort | paste -sd ' ')
  [[ $found == "$counts" ]] || fail "version $version: $found, not $counts"
  llvm-xray-19 stack "fdr$version" -m program >/dev/null || fail "stack of version $version"
  llvm-xray-19 graph "fdr$version" -m program >/dev/null || fail "graph of version $version"
  llvm-xray-19 fdr-dump -verify "fdr$version" >/dev/null || fail "fdr-dump of version $version"
  cmp <(records log "$version") <(records "fdr$version" "$version") ||
    fail "version $version has other records than the log"
  echo "version $version: $found, $(records "fdr$version" "$version" | wc -l) records as in the log"
done

# The archive of the same log: each call begins and ends once, by its name.
"$barefxt" convert log --to fxt --elf program -o fxt 2>messages || fail "convert: $(cat messages)"
for call in 'work::leaf(int)=1600' 'work::leaves(int)=800' 'rounds(int)=4' 'work::twice(int)=800'; do
  for event in duration_begin duration_end; do
    found=$("$barefxt" print --json fxt | grep -F "\"$event\"" | grep -cF "\"name\":\"${call%=*}\"")
    ((found == ${call#*=})) || fail "the archive has $found $event of ${call%=*}, not ${call#*=}"
  done
done
"$barefxt" lint fxt >messages || fail "lint: $(cat messages)"

# Typed events as in docs/reference/xray.md: LLVM 19 reads the map of an image with custom ones, and none with a typed
# one.
for event in custom typed; do
  clang++-19 -O1 -fxray-instrument "-DEVENT_$event" "$here/event.cpp" -o "$event"
done
llvm-xray-19 extract custom >/dev/null || fail "the map of an image with custom events"
if llvm-xray-19 extract typed >messages 2>&1; then fail "llvm-xray reads typed events by now: docs/reference/xray.md"; fi
grep -q 'Exec format error' messages || fail "of typed events llvm-xray prints: $(cat messages)"

# A copy that --to xray-elf makes has a map that it reads, with the same functions. It makes no copy of a
# program that needs none.
"$barefxt" convert typed --to xray-elf -o mapped 2>messages || fail "--to xray-elf: $(cat messages)"
llvm-xray-19 extract mapped --symbolize >messages || fail "llvm-xray does not read the copy's map"
grep -q 'function-name: .*work(int)' messages || fail "the copy's map has: $(cat messages)"
grep -q 'kind: custom-event' messages || fail "the copy's map has: $(cat messages)"
if "$barefxt" convert custom --to xray-elf -o needless 2>messages; then fail "a copy of a map that is read"; fi
grep -q 'that llvm-xray reads' messages || fail "of a map that is read: $(cat messages)"
[[ ! -e needless ]] || fail "an output is left behind"
