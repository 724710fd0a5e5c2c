#!/usr/bin/env bash
# Shows that the default run finds faults that were chosen at random. It changes the runtime and the host's code in one random place at a
# time, and runs the tests of the default run, cheapest first, until one fails. Prints a table. By hand; an hour or two.
#
#   host-tests/mutations/run.sh WORK [COUNT] [SEED]     COUNT places (10), half of them in the runtime, from SEED (1) on
#
# WORK keeps a copy of the tree with its builds, so that a second call builds less. A place that does not compile is replaced by
# the next seed's. A place that no test finds may mean the same program: read it.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$1 count=${2:-10} seed=${3:-1}
tree=$work/tree
export CTEST_OUTPUT_ON_FAILURE=0

# Only files that differ, and with today's time: precompiled headers hold to it.
restore() {
  local file
  git -C "$source" ls-files | while read -r file; do
    cmp -s "$source/$file" "$tree/$file" || install -D -m "$(stat -c %a "$source/$file")" "$source/$file" "$tree/$file"
  done
}

quietly() { "$@" >>"$work/log" 2>&1; }

build_host() {
  quietly cmake --preset host -DBAREFXT_HOST_TESTS=ON -DBAREFXT_PNG=ON -DBAREFXT_QEMU_RUNS=ON -DBAREFXT_TESTS=delivered &&
    quietly cmake --build build/host
}
build_sanitized() { quietly cmake --preset host-asan && quietly cmake --build build/host-asan; }
build_images() {
  local preset
  for preset in "${presets[@]}"; do
    quietly cmake --preset "$preset" && quietly cmake --build "build/$preset" || return
  done
}
# The first failing test, or nothing.
first_failure() { # PRESET CTEST-OPTION...
  local log=$work/ctest.log
  ctest --test-dir "build/$1" --stop-on-failure --no-tests=ignore -j2 "${@:2}" >"$log" 2>&1 || true
  sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \(.*[^ ]\)  *\.*\**\(Failed\|Exception\|Timeout\|SEGFAULT\|Subprocess\).*/\1/p' "$log" | sed -n 1p
}

presets=()
while IFS='|' read -r name compilers _ _ _ tested _; do
  [[ -n $name && $name != \#* ]] || continue
  for compiler in $compilers; do
    [[ $compiler == gcc ]] && presets+=("${name// /}") || presets+=("${name// /}-$compiler")
    [[ $tested != *none* ]] || break
  done
done <"$source/toolchain/targets.txt"

mkdir -p "$tree"
: >"$work/log"
cd "$tree"
restore
[[ -d .git ]] || git init -q
git add -A
git -c user.name=test -c user.email=test@example.org commit -q --allow-empty -m "The tree"
build_host
build_sanitized
build_images

printf '| place | found by |\n|---|---|\n'
found=0
for ((tried = 0; tried < count; seed++)); do
  part=runtime
  ((tried % 2 == 0)) || part=host
  place=$(perl "$source/host-tests/mutations/mutate.pl" "$tree" "$part" "$seed")
  file=${place%%:*}
  by=
  if build_host; then
    # Tests that check the text of sources, not their behaviour, do not count here.
    [[ -n $by ]] || by=$(first_failure host -L ring -LE full)
    [[ -n $by ]] || by=$(first_failure host -LE 'full|project|torture|aarch64|arm|rv|x86|cortex|m68k|ring')
    if [[ -z $by ]] && build_sanitized; then by=$(first_failure host-asan -LE 'project|torture'); fi
    if [[ -z $by && $part == runtime ]] && build_images; then by=$(first_failure host -LE '^(full|project)$'); fi
    [[ -n $by ]] || by=$(first_failure host -LE '^(full|ring)$' -E 'faults|project.(tidy|format|sources)')
    tried=$((tried + 1))
    [[ -z $by ]] || found=$((found + 1))
    printf '| %s | %s |\n' "${place//|/\\|}" "${by:-nothing}"
  fi
  git checkout -q -- "$file"
done
echo "$found of $count found"
