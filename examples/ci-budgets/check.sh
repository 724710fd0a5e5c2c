#!/usr/bin/env bash
# Builds the firmware, runs it in QEMU, and holds its trace to app.budget. Status 1: a bound is violated, or cannot be judged.
#
#   check.sh [MAKE-VARIABLE...]        BAREFXT_COMMAND names the command, if it is not in the PATH
#
# It leaves trace.fxt and junit.xml, a test case for each bound.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
barefxt=${BAREFXT_COMMAND:-barefxt}
make -s -C "$here/../bare-metal" run "$@"
"$barefxt" rebuild "$here/../bare-metal/trace.raw" -o trace.fxt
"$barefxt" stats trace.fxt --budget "$here/app.budget" --junit junit.xml >/dev/null
