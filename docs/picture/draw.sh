#!/usr/bin/env bash
# Draws a stretch of an archive as SVG: a lane per CPU with the threads that ran on it, interrupts
# above, messages between threads as lines, instants as dots. docs/demo.svg was made like this; each run
# is a little different, so look for a stretch that shows something:
#
#     toolchain/demo.sh
#     docs/picture/draw.sh build/demo/trace.fxt 800.1 1.6 >docs/demo.svg
set -euo pipefail

if (($# != 3)); then
  echo "usage: docs/picture/draw.sh ARCHIVE START-MS LENGTH-MS" >&2
  exit 2
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/../../build/host/barefxt" print --json "$1" | awk -v start="$2" -v length_ms="$3" -f "$here/draw.awk"
