#!/usr/bin/env bash
# Explores the model of the ring (ring.pml): the protocol as it is, in every run of runs.txt, and each
# of its mutations, which must break the property that mutations.txt names. Prints a line for each.
# usage: run.sh SOURCE WORK: this folder, and one to work in. BAREFXT_FULL=1 adds the large runs.
#
# The program that spin writes takes 1 CPU second to compile without optimization, 7 with -O1 and 13 if that may inline.
# Optimized it runs in a third of the time, whichever it is.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work"

spin -a "$source/ring.pml"
"${CC:-clang-19}" -O1 -fno-inline -w -DSAFETY -DCOLLAPSE -I"$source" -o pan pan.c

declare -A parameters number
names=()
while read -r name size rest; do
  [[ -n $name && $name != \#* ]] || continue
  parameters[$name]=$rest
  if [[ $size == quick || ${BAREFXT_FULL:-0} == 1 ]]; then names+=("$name"); fi
done <"$source/runs.txt"
while read -r define name value; do
  if [[ $define == '#define' ]]; then number[$name]=$value; fi
done <"$source/mutations.h"

# Sets `states`, and `property` to what was broken: nothing, if all states were seen and all is well.
explore() { # RUN MUTATION
  local settings
  read -r -a settings <<<"${parameters[$1]}"
  env "${settings[@]}" MODEL_MUTATION="$2" ./pan -m100000 >"$1-$2.log" 2>&1 || true
  states=$(sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' "$1-$2.log")
  property=$(sed -n 's/^pan:1: \(PROPERTY \)\?\(.*\) (at depth.*/\2/p' "$1-$2.log" | tr ' ' '-')
  if [[ -z $property ]] && ! grep -q 'errors: 0$' "$1-$2.log"; then property=incomplete; fi
  if grep -q 'search depth too small' "$1-$2.log"; then property=too-deep; fi
}

failed=0
for name in "${names[@]}"; do
  explore "$name" 0
  echo "MODEL name=$name states=$states result=${property:-ok}"
  if [[ -n $property ]]; then failed=1; fi
done
mutations=0
while read -r mutation run expected; do
  [[ -n $mutation && $mutation != \#* ]] || continue
  mutations=$((mutations + 1))
  explore "$run" "${number[$mutation]}"
  echo "MUTATION name=$mutation caught_by=${property:-nothing} run=$run states=$states"
  if [[ $property != "$expected" ]]; then
    echo "FAILED: $mutation should have been caught by '$expected'"
    failed=1
  fi
done <"$source/mutations.txt"
if ((mutations != ${#number[@]})); then
  echo "FAILED: mutations.txt names $mutations of ${#number[@]} mutations"
  failed=1
fi
exit "$failed"
