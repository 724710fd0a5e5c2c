#!/usr/bin/env bash
# The page that is committed, and is part of the command, is what its parts make.
set -euo pipefail
source=$1 work=$2

mkdir -p "$work"
"$source/host/report/build.sh" "$work/built.html"
if ! cmp "$work/built.html" "$source/host/report/built.html"; then
  echo "host/report/built.html is not what host/report/build.sh makes of the parts; run: host/report/build.sh host/report/built.html"
  exit 1
fi
