#!/usr/bin/env bash
# What a record costs on x86-64, with the runtime compiled as for a kernel and with a kernel's port:
# instructions, counted exactly, by both compilers; the time of a switch against what none can do
# without; and whether writers on all cores keep their speed. Measured in a process, so it runs alone.
set -euo pipefail
source=$1 work=$2
here=$source/host-tests/project/host_cost

if [[ $(uname -m) != x86_64 ]]; then
  echo "nothing to measure on $(uname -m)"
  exit 77
fi

status=0
for compiler in g++ clang++-19; do
  mkdir -p "$work/$compiler"
  cmake -S "$here" -B "$work/$compiler" -G Ninja -DBAREFXT_SOURCE="$source" \
    -DCMAKE_CXX_COMPILER="$compiler" >/dev/null
  cmake --build "$work/$compiler" >"$work/$compiler/build.log" || {
    cat "$work/$compiler/build.log"
    exit 1
  }
  echo "== $compiler"
  "$work/$compiler/host_cost" | tee "$work/$compiler/costs" || status=1
done

# The better compiler at most LIMIT, the other at most 1.25 times the better.
at_most() { # RECORD LIMIT
  awk -v record="$1" -v limit="$2" '
    $1 == record { if (best == "" || $2 < best) best = $2; if ($2 > worst) worst = $2 }
    END {
      if (best == "" || best > limit || worst > 1.25 * best) {
        print "FAILED: " record " takes " best " and " worst " instructions, and may take " limit
        exit 1
      }
    }' "$work"/*/costs || status=1
}
at_most context_switch 40
at_most instant 38
at_most disabled_probe 4
exit "$status"
