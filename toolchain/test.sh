#!/usr/bin/env bash
# Builds everything and runs every test, or those of the targets that are named.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Its compilers, by target.
declare -A compilers
targets=()
while IFS='|' read -r name of_target _; do
  [[ -n $name && $name != \#* ]] || continue
  name=${name// /}
  targets+=("$name")
  compilers[$name]=$of_target
done <toolchain/targets.txt

usage() {
  cat <<END
usage: toolchain/test.sh [--full] [TARGET...]

  --full     what is cut short otherwise is run at length (hours), and docs/reliability.md is written anew

  host       the host library and command, with GCC, and with clang under sanitizers; the fuzzers,
             for 15 seconds each

The others are the demo kernel in QEMU, and the runtime built for that target:

$(printf '  %s\n' "${targets[@]}")

Without a target, all of them.
END
}

host=false
chosen=()
for target in "$@"; do
  if [[ $target == --full ]]; then
    export BAREFXT_FULL=1
  elif [[ $target == host ]]; then
    host=true
  elif [[ $target == -h || $target == --help ]]; then
    usage
    exit 0
  elif [[ -n $target && -n ${compilers[$target]:-} ]]; then
    chosen+=("$target")
  else
    echo "test.sh: no target '$target'; there is: host ${targets[*]}" >&2
    exit 2
  fi
done
if ! "$host" && ((${#chosen[@]} == 0)); then
  host=true
  chosen=("${targets[@]}")
fi

passed=0
failed=0
skipped=0
any_failure=0
with_failures=()

stage() { # TITLE COMMAND...
  local title=$1 begin=$SECONDS status=0
  shift
  echo "== $title"
  "$@" || status=$?
  echo "== $title: $((SECONDS - begin)) s"
  return "$status"
}

build() { # PRESET [TARGET...]
  cmake --preset "$1" >/dev/null && cmake --build "build/$1" ${2:+--target "${@:2}"}
}

# The count NAME in the summary that ctest leaves.
count() { # PRESET NAME
  grep -o -m 1 "\b$2=\"[0-9]*\"" "build/$1/junit.xml" | head -n 1 | tr -dc 0-9
}

# Four at a time for two cores: a test that boots a machine waits for it half of its time.
# A failed test does not keep the others from running; whether there was one is told at the end.
run_tests() { # PRESET CTEST-OPTION...
  local preset=$1 status=0 all bad not_run
  shift
  ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j4 \
    --output-junit junit.xml "$@" || status=$?
  all=$(count "$preset" tests)
  bad=$(count "$preset" failures)
  not_run=$(($(count "$preset" skipped) + $(count "$preset" disabled)))
  passed=$((passed + all - bad - not_run))
  failed=$((failed + bad))
  skipped=$((skipped + not_run))
  if ((status != 0)); then
    echo "test.sh: ctest of the preset '$preset' ended with status $status" >&2
    with_failures+=("$preset")
  fi
  any_failure=$((any_failure | status))
}

# The end of what each failed test printed, then their names: thousands of lines lie between a failure
# and the end of the run, and who reads a CI's log often has only its last hundred.
tell_failures() {
  local preset names
  for preset in ${with_failures[@]+"${with_failures[@]}"}; do
    names=build/$preset/Testing/Temporary/LastTestsFailed.log
    [[ -s $names ]] || continue
    while IFS=: read -r _ name; do
      echo "== failed, $preset: $name"
      TEST=$name awk 'substr($0, index($0, " Testing: ") + 10) == ENVIRON["TEST"] { ours = 1 }
                      ours { print }
                      ours && /^<end of output>/ { exit }' \
        "build/$preset/Testing/Temporary/LastTest.log" | tail -n 25 | cut -c 1-400
    done <"$names"
  done
  for preset in ${with_failures[@]+"${with_failures[@]}"}; do
    sed "s/^[0-9]*:/failed, $preset: /" "build/$preset/Testing/Temporary/LastTestsFailed.log" || true
  done
}

stage "packages" toolchain/setup.sh test
# The tests of a target run with the host build, which has the tools that read the traces; what runs
# without a target is not built for them.
of_host=()
"$host" || of_host=(host/all runtime/all barefxt_single barefxt_described qemu-tests/tests/all)
stage "build: host, GCC" build host ${of_host[@]+"${of_host[@]}"}
for target in "${chosen[@]}"; do
  for compiler in ${compilers[$target]}; do
    preset=$target
    [[ $compiler == gcc ]] || preset=$target-$compiler
    stage "build: $target, $compiler" build "$preset"
  done
done

# A regular expression for one of these labels, and no other that it is a part of.
one_of() { # LABEL...
  local IFS='|'
  echo "^($*)\$"
}
left_out=()
for target in "${targets[@]}"; do
  [[ " ${chosen[*]} " == *" $target "* ]] || left_out+=("$target")
done
if ! "$host"; then
  stage "tests" run_tests host -L "$(one_of "${chosen[@]}")"
elif ((${#left_out[@]} == 0)); then
  stage "tests" run_tests host
else
  stage "tests" run_tests host -LE "$(one_of "${left_out[@]}")"
fi
# Those labelled project look at the sources and need to run only once.
if "$host"; then
  # With clang, which compiles for its sanitizers several times faster than GCC: so this is the build
  # with the other compiler as well.
  stage "build: host, clang, sanitizers" build host-asan
  stage "tests under sanitizers" run_tests host-asan -LE "$(one_of "${targets[@]}" project)"
  stage "build: the runtime, ThreadSanitizer" build host-tsan runtime_torture_test linear_torture_test
  stage "tests under ThreadSanitizer" run_tests host-tsan -L torture
fi

if [[ -n ${BAREFXT_FULL:-} ]]; then
  commit=$(git describe --always --dirty)
  logs=(build/*/Testing/Temporary/LastTest.log)
  toolchain/reliability.sh "${logs[@]/#/$commit=}" >docs/reliability.md
fi

tell_failures
echo "In all: $SECONDS s"
if ((skipped > 0)); then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
((any_failure == 0))
