#!/usr/bin/env bash
# The cost of a record on x86-64, with the runtime compiled as for a kernel and with a kernel's port. The
# script counts instructions exactly, by both compilers, and compares the time of a switch with the necessary
# minimum. It measures the speed of writers on all cores, which stays as long as none touches memory that
# another writes. With the argument "time" all of it, by both compilers, in a process that has to run alone;
# without it no time, and GCC's code only: cost_test counts that of both for each target.
set -euo pipefail
source=$1 work=$2 times=${4:-}
here=$source/host-tests/project/host_cost

if [[ $(uname -m) != x86_64 ]]; then
  echo "nothing to measure on $(uname -m)"
  exit 77
fi

# How many cache lines one of two writers stores to that the other loads or stores, and how many
# they store to at all.
lines_of() { # BUILD [as-one]
  valgrind -q --tool=lackey --trace-mem=yes --log-file="$1/accesses" "$1/host_sharing" "${@:2}" >"$1/marks"
  awk '
    function line(hex) {
      sub(/^0+/, "", hex)
      return substr(hex, 1, length(hex) - 2) int((index("0123456789abcdef", substr(hex, length(hex) - 1, 1)) - 1) / 4)
    }
    NR == FNR { mark[$1] = FNR; next }
    $1 != "L" && $1 != "S" && $1 != "M" { next }
    {
      split($2, access, ",")
      address = access[1]
      sub(/^0+/, "", address)
      if (address in mark) { writer = mark[address] % 2 ? (mark[address] + 1) / 2 : 0; next }
      if (!writer) next
      at = line(address)
      touches[writer, at] = 1
      if ($1 != "L") stores[writer, at] = 1
    }
    END {
      for (each in stores) {
        split(each, part, SUBSEP)
        ++stored
        if ((3 - part[1], part[2]) in touches) ++shared
      }
      print shared + 0, stored + 0
    }' "$1/marks" "$1/accesses"
  rm "$1/accesses"
}

# Three segments each are written, 64 bytes a line.
share_nothing() { # BUILD
  local shared stored as_one
  # One after the other: at the same time, the first would remove the second one's file.
  read -r shared stored <<<"$(lines_of "$1")"
  read -r as_one _ <<<"$(lines_of "$1" as-one)"
  echo "cache lines that writers on two CPUs store to: $stored; touched by the other one: $shared"
  echo "the same as one CPU: $as_one"
  if ((shared != 0 || stored < 2 * 3 * 4096 / 64 || as_one == 0)); then
    echo "FAILED: writers on two CPUs must share nothing, and as one CPU they must be seen to"
    return 1
  fi
}

status=0
compilers=(g++)
[[ -z $times ]] || compilers+=(clang++-19)
for compiler in "${compilers[@]}"; do
  mkdir -p "$work/$compiler"
  cmake -S "$here" -B "$work/$compiler" -G Ninja -DBAREFXT_SOURCE="$source" \
    -DCMAKE_CXX_COMPILER="$compiler" >/dev/null
  cmake --build "$work/$compiler" >"$work/$compiler/build.log" || {
    cat "$work/$compiler/build.log"
    exit 1
  }
  echo "== $compiler"
  "$work/$compiler/host_cost" ${times:+"$times"} | tee "$work/$compiler/costs" || status=1
  share_nothing "$work/$compiler" || status=1
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
