#!/usr/bin/env bash
# Makes docs/reliability.md of what a full run of the tests printed: toolchain/test.sh --full.
#
# Tests say what they have shown in lines of a kind and of key=value pairs. Each kind becomes a table
# with a column for each key; a kind of which there is no line is said to be missing.
set -euo pipefail

if (($# == 0)); then
  echo "usage: toolchain/reliability.sh LOG... >docs/reliability.md" >&2
  exit 2
fi

cat <<'INTRODUCTION'
# Reliability

What the tests of the recording core have shown, in figures. Written by `toolchain/reliability.sh` from what a run of
`toolchain/test.sh --full` printed; not to be edited. `toolchain/test.sh` alone runs all of this in a shorter form.
INTRODUCTION

table() { # KIND TITLE TEXT
  local kind=$1 title=$2 text=$3
  shift 3
  printf '\n## %s\n\n%s\n\n' "$title" "$text"
  cat "${logs[@]}" | tr -d '\r' | awk -v kind="$kind" '
    $1 == kind {
      if ($0 in seen || index($2, "=") == 0) next
      seen[$0] = 1
      ++rows
      for (i = 2; i <= NF; ++i) {
        at = index($i, "=")
        key = substr($i, 1, at - 1)
        if (!(key in column)) { column[key] = ++columns; name[columns] = key }
        cell[rows, column[key]] = substr($i, at + 1)
      }
    }
    END {
      if (rows == 0) { print "Nothing of this was run."; exit }
      for (c = 1; c <= columns; ++c) { gsub("_", " ", name[c]); printf "| %s ", name[c] }
      print "|"
      for (c = 1; c <= columns; ++c) printf "|---"
      print "|"
      for (r = 1; r <= rows; ++r) {
        for (c = 1; c <= columns; ++c) printf "| %s ", cell[r, c]
        print "|"
      }
    }'
}

logs=("$@")
table SWEEP "Interrupted, switched and reset at every instruction" \
  "Under QEMU's \`-icount\` something happens after k instructions of each way of writing, for k = 1, 2, 3 ... until past its end."
table TORTURE "Torture" \
  "All contexts on all CPUs write, in all modes; every record is read, or counted as lost or overwritten, and intact."
table MODEL "The model" "Explored by spin, completely unless it says otherwise."
table MUTATION "Mutations of the model" "Each step or ordering changed in turn, and what caught it."
table FAULT "Faults seeded into the code" "Each breaks the runtime's sources in one place, and the named test fails."
