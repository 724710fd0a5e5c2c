#!/usr/bin/env bash
# Makes docs/contributing/reliability.md of what a full run of the tests printed: toolchain/test.sh --full.
#
# Tests say what they have shown in lines of a kind and of key=value pairs. Those of a kind become a
# table with a column for each key; a kind of which there is no line is said to be missing. Each line
# says of which commit it is; a short run tells nothing where there is one at length.
set -euo pipefail

if (($# == 0)); then
  echo "usage: toolchain/reliability.sh COMMIT=LOG... >docs/contributing/reliability.md" >&2
  exit 2
fi
# All lines, each behind its commit.
lines=$(for log in "$@"; do
  tr -d '\r' <"${log#*=}" | grep -E '^(SWEEP|TORTURE|SCHEDULES|MODEL|MUTATION|FAULT) ' | sed "s/^/${log%%=*} /"
done)

cat <<'INTRODUCTION'
# Reliability

What the tests of the recording core have shown, in figures. Written by `toolchain/reliability.sh` from what runs of the tests
printed, not to be edited; `toolchain/test.sh --full` runs all of this at length and writes it anew. A sweep's `extent` says
whether a line is of such a run or of a short one, of `toolchain/test.sh` alone; `commit` is that of the sources that ran. Where a
cell has two numbers, the first is of records and the second of their bytes.
INTRODUCTION

table() { # KIND TITLE TEXT [KEY=VALUE that the lines must have, and that needs no column]
  local kind=$1 title=$2 text=$3 only=${4:-}
  printf '\n## %s\n\n%s\n\n' "$title" "$text"
  awk -v kind="$kind" -v only="$only" '
    function what(line) { sub(/ extent=.*/, "", line); sub(/^[^ ]* /, "", line); return line }
    NR == FNR {
      if (index($0, " extent=full ")) at_length[what($0)] = 1
      next
    }
    $2 == kind {
      if ($0 in seen || index($3, "=") == 0) next
      if (only != "" && index($0 " ", " " only " ") == 0) next
      if (index($0, " extent=") && !index($0, " extent=full ") && (what($0) in at_length)) next
      seen[$0] = 1
      ++rows
      if (rows == 1) { column["commit"] = ++columns; name[columns] = "commit" }
      cell[rows, 1] = $1
      for (i = 3; i <= NF; ++i) {
        if ($i == only) continue
        at = index($i, "=")
        key = substr($i, 1, at - 1)
        value = substr($i, at + 1)
        # Bytes stand beside the records.
        if (sub(/_bytes$/, "", key)) {
          cell[rows, column[key]] = cell[rows, column[key]] " / " value
          continue
        }
        if (!(key in column)) { column[key] = ++columns; name[columns] = key }
        cell[rows, column[key]] = value
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
    }' <(echo "$lines") <(echo "$lines")
}

table SWEEP "An interrupt at every instruction" \
  "Under QEMU's \`-icount\` an interrupt comes k instructions after a write begins, for k = 1, 2, 3 ... until past its end: for each
path, mode, place in the ring and action of the interrupt (docs/contributing/testing.md). \`instructions\` are those of all functions of the runtime that
the path came into, by the disassembly, and \`hit\` those of them at which an interrupt came while this path was written; in the line \`all\` are
the hits of all paths together; those that were \`never\` hit are listed with a reason in
sweep_test.cpp. attempted = read + lost + drained + overwritten in every line, or the test fails." "sweep=once"
table SWEEP "An interrupt in the interrupt" "The same, where the interrupt is interrupted at every instruction as well." "sweep=twice"
table SWEEP "A switch to a thread in the middle of its own write" \
  "The interrupt switches to a thread that stands between load and store of the same position, or at any other of its instructions." \
  "sweep=switch"
table SWEEP "A stop and a start in the middle of a write" "The interrupt ends the session and starts the next." "sweep=restart"
table SWEEP "A reset at every instruction" \
  "The machine is reset instead; the next boot recovers what was committed. \`attempted\` is what was committed, lost or overwritten at
the moment of the reset, \`read\` what the dump of the next boot holds." "sweep=reset"
table TORTURE "Torture" \
  "All contexts on all CPUs write, in all modes; every record is read, or counted as lost or overwritten, and intact."
table SCHEDULES "The code in every order" \
  "Of the runtime's own code every order of accesses and every late load was run, within these limits (docs/contributing/testing.md)."
table MODEL "The model" "Explored by spin, completely unless it says otherwise."
table MUTATION "Mutations of the model" "Each step or ordering changed in turn, and what caught it."
table FAULT "Faults seeded into the code" "Each breaks the runtime's sources in one place, and the named test fails."
