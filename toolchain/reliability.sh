#!/usr/bin/env bash
# Writes what runs of the tests printed as tables: FOLDER/sweep.csv, torture.csv, schedules.csv, model.csv, mutation.csv, fault.csv,
# hostile.csv.
#
# A test prints its evidence in lines of a kind and of key=value pairs. The lines of a kind become a table with a column for each
# key, behind the commit that ran. A shortened run's line is left out if the same was run at length.
set -euo pipefail

if (($# < 2)); then
  echo "usage: toolchain/reliability.sh FOLDER COMMIT=LOG..." >&2
  exit 2
fi
folder=$1
shift
mkdir -p "$folder"
# All lines, each behind its commit. A log without any is no failure.
lines=$(for log in "$@"; do
  tr -d '\r' <"${log#*=}" | { grep -E '^(SWEEP|TORTURE|SCHEDULES|MODEL|MUTATION|FAULT|HOSTILE) ' || true; } | sed "s/^/${log%%=*} /"
done)

for kind in SWEEP TORTURE SCHEDULES MODEL MUTATION FAULT HOSTILE; do
  table=$folder/${kind,,}.csv
  awk -v kind="$kind" '
    function quoted(value) {
      if (value !~ /[",]/) return value
      gsub(/"/, "\"\"", value)
      return "\"" value "\""
    }
    # Everything that identifies the experiment: the line without its commit, up to its extent.
    function experiment(line) { sub(/ extent=.*/, "", line); sub(/^[^ ]* /, "", line); return line }
    $2 != kind || index($3, "=") == 0 { next }
    NR == FNR {
      if (index($0, " extent=full ")) at_length[experiment($0)] = 1
      next
    }
    $0 in seen { next }
    index($0, " extent=") && !index($0, " extent=full ") && (experiment($0) in at_length) { next }
    {
      seen[$0] = 1
      cell[++rows, "commit"] = $1
      for (i = 3; i <= NF; ++i) {
        at = index($i, "=")
        key = substr($i, 1, at - 1)
        if (!(key in known)) { known[key] = 1; name[++columns] = key }
        cell[rows, key] = substr($i, at + 1)
      }
    }
    END {
      printf "commit"
      for (c = 1; c <= columns; ++c) printf ",%s", name[c]
      printf "\n"
      for (r = 1; r <= rows; ++r) {
        printf "%s", cell[r, "commit"]
        for (c = 1; c <= columns; ++c) printf ",%s", quoted(cell[r, name[c]])
        printf "\n"
      }
    }' <(echo "$lines") <(echo "$lines") >"$table"
  echo "$table: $(($(wc -l <"$table") - 1)) rows"
done
