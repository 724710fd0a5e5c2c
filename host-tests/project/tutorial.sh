#!/usr/bin/env bash
# The tutorial's files and commands, exactly as printed, make an image that boots and a trace with what the page describes. The first
# commands, which install packages and build the host command, are taken as done.
set -euo pipefail
source=$1 work=$2 build=$3
page=$source/docs/tutorial/first-trace.md
rm -rf "$work"
mkdir -p "$work"
cd "$work"
ln -s "$source" barefxt
export PATH=$build:$PATH

# A block whose first line names a file becomes that file; all blocks of commands but the first become the script.
awk '
  /^```/ && !inside { inside = 1; language = substr($0, 4); line = 0; file = ""; if (language == "sh") ++scripts; next }
  /^```$/ { inside = 0; next }
  inside && language == "sh" { if (scripts > 1) print >"commands.sh"; next }
  inside && ++line == 1 {
    for (i = 1; i <= NF; ++i) if ($i ~ /^[A-Za-z]+[.][a-z]+$/) file = $i
    if (file == "") { print "FAILED: a block names no file: " $0; exit 1 }
  }
  inside { print >file }' "$page"
for file in kernel.c start.c image.ld CMakeLists.txt commands.sh; do
  [[ -s $file ]] || {
    echo "FAILED: the tutorial has nothing for $file"
    exit 1
  }
done

# A user's machine takes QEMU's end for granted; a test does not.
timeout 300 bash -euo pipefail commands.sh >log 2>&1 || {
  cat log
  echo "FAILED: the tutorial's commands"
  exit 1
}
grep -q '^no fault found$' log || {
  cat log
  echo "FAILED: the doctor finds something"
  exit 1
}

failures=0
expect() { # COUNT EXPRESSION
  local found
  found=$(grep -c "$2" trace.json || true)
  ((found == $1)) || {
    echo "FAILED: $found records of $2, rather than $1"
    failures=$((failures + 1))
  }
}
barefxt print --json trace.fxt >trace.json
expect 50 '"event":"duration_begin",.*"name":"filter","args":\[{"name":"samples","type":"uint32"'
expect 50 '"event":"duration_begin",.*"name":"tick"'
expect 50 '"record":"thread_wakeup"'
# One at the start, and two for each run.
expect 101 '"record":"context_switch"'
for text in '^Durations' '^sensor'; do
  grep -q "$text" log || {
    cat log
    echo "FAILED: stats prints no line with $text"
    failures=$((failures + 1))
  }
done
((failures == 0))
