#!/usr/bin/env bash
# The queries of host/sql in DuckDB and ClickHouse. Debian has none, npm has: BAREFXT_DUCKDB is a folder in which
# `npm install @duckdb/node-api chdb` was run; without it there is nothing to run (exit status 77).
set -euo pipefail
source=$1 command=$2 write_archives=$3 work=$4
# The page names each query that is shipped, and no other.
named=$(tr -d '`' <"$source/docs/how-to/fleets.md" | sed -n 's/^| \([a-z_]*[.]sql\) |.*/\1/p' | sort)
if ! diff <(echo "$named") <(ls "$source/host/sql"); then
  echo "FAILED: docs/how-to/fleets.md (<) names other queries than host/sql (>) has"
  exit 1
fi
if [[ -z ${BAREFXT_DUCKDB:-} ]]; then
  echo "skipped: BAREFXT_DUCKDB names no folder with npm's @duckdb/node-api"
  exit 77
fi
rm -rf "$work"
mkdir -p "$work"
captures=$source/host-tests/goldens/captures
archives=()
for capture in "$captures"/cortex-m3-demo.v2.raw "$captures"/cortex-m3-circular.v1.raw; do
  archive=$work/$(basename "$capture" .raw).fxt
  status=0
  "$command" rebuild "$capture" -o "$archive" || status=$?
  ((status == 0 || status == 3)) || exit 1
  archives+=("$archive")
done
# Several CPUs' work, with wakeups and migrations across them, and a loss of one of them.
mkdir "$work/made"
"$write_archives" "$work/made"
archives+=("$work"/made/*.fxt)
node "$source/host-tests/fleet/queries.mjs" "$source" "$command" "$work/records" "${archives[@]}"
node "$source/host-tests/fleet/rows.mjs" "$source" "$command" "$work/rows" "${archives[@]}"
