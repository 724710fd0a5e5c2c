#!/usr/bin/env bash
# Builds everything and runs every test, or those of the targets that are named.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Compilers by target, and those of which a default run has only the first: near relatives of other targets.
declare -A compilers near_relatives
targets=()
while IFS='|' read -r name of_target _ _ _ tested _; do
  [[ -n $name && $name != \#* ]] || continue
  name=${name// /}
  targets+=("$name")
  compilers[$name]=$of_target
  [[ $tested != *none* ]] || near_relatives[$name]=1
done <toolchain/targets.txt

usage() {
  cat <<END
usage: toolchain/test.sh [--full] [host] [sanitizers] [TARGET...]

  --full     run at length what is cut short otherwise (hours), write its evidence to build/reliability,
             and hold the CPU time of a default run to toolchain/cpu-budget.txt
  host       only the host library and command, and the runtime on this machine, with GCC: without the
             tests that need other machines' compilers or try the tests themselves, and clang-tidy
  sanitizers the same with clang under sanitizers, and the fuzzers
  TARGET     only the demo kernel in QEMU, and the runtime built for that target:

$(printf '             %s\n' "${targets[@]}")

Without a name, all of them.
END
}

host=false
sanitizers=false
chosen=()
for target in "$@"; do
  if [[ $target == --full ]]; then
    # Otherwise the command has less of it, see host-tests/sanitizer_options.cpp.
    export BAREFXT_FULL=1 ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1
  elif [[ $target == host ]]; then
    host=true
  elif [[ $target == sanitizers ]]; then
    sanitizers=true
  elif [[ $target == -h || $target == --help ]]; then
    usage
    exit 0
  elif [[ -n $target && -n ${compilers[$target]:-} ]]; then
    chosen+=("$target")
  else
    echo "test.sh: no target '$target'; there is: host sanitizers ${targets[*]}" >&2
    exit 2
  fi
done
packages=(${chosen[@]+"${chosen[@]}"})
everything=false
if "$host" || "$sanitizers"; then
  packages+=(host)
elif ((${#chosen[@]} == 0)); then
  everything=true
  host=true
  sanitizers=true
  chosen=("${targets[@]}")
  packages=(all)
fi

passed=0
failed=0
skipped=0
any_failure=0
with_failures=()
times=build/test-times.txt
mkdir -p build
: >"$times"

# Sets `cpu` to the CPU seconds, user and system, of all children that this shell has waited for. (A subshell has its own.)
take_cpu_seconds() {
  times >build/cpu.txt
  cpu=$(tr 'ms\n' '   ' <build/cpu.txt | awk '{ printf "%.0f", 60 * ($5 + $7) + $6 + $8 }')
}

stage() { # TITLE COMMAND...
  local title=$1 begin=$SECONDS cpu_begin status=0
  take_cpu_seconds
  cpu_begin=$cpu
  shift
  echo "== $title"
  "$@" || status=$?
  take_cpu_seconds
  echo "== $title: $((SECONDS - begin)) s, $((cpu - cpu_begin)) CPU-s"
  return "$status"
}

build() { # PRESET [CMAKE-OPTION...] [-- TARGET...]
  local preset=$1 options=()
  shift
  while (($# > 0)) && [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  cmake --preset "$preset" "${options[@]}" >/dev/null && cmake --build "build/$preset" ${2:+--target "${@:2}"}
}

# Two presets at a time, so that one compiles while the other configures or links; a target's own one after the other,
# since one of the two takes most of the time. Output only of what fails.
build_image() { # PRESET [NINJA-OPTION]
  local log=build/$1.log
  { cmake --preset "$1" ${BAREFXT_FULL:+-DBAREFXT_ALL_MODES=ON} && cmake --build "build/$1" -- ${2:+"$2"}; } >"$log" 2>&1 || {
    echo "== failed: $1"
    cat "$log"
    return 1
  }
}
export -f build_image
build_images() { # PRESET...
  if (($# > 2)); then
    printf '%s\n' "$@" | xargs -P 2 -I '{}' bash -c 'build_image {} -j1'
  else
    printf '%s\n' "$@" | xargs -I '{}' bash -c 'build_image {}'
  fi
}

# The count NAME in the summary that ctest leaves.
count() { # PRESET NAME
  sed -n "s/.*\b$2=\"\([0-9]*\)\".*/\1/p;T;q" "build/$1/junit.xml"
}

# Four at a time for two cores: a test that boots a machine waits for it half of its time.
# A failed test does not keep the others from running; the end of the run reports it. Nor does one that hangs: a test that
# has no limit of its own would else wait for ever, and the run be cut off without its name.
run_tests() { # PRESET CTEST-OPTION...
  local preset=$1 status=0 all bad not_run more=() timeout=900
  shift
  # Tests that are registered for full runs alone: of every target, rather than of one of each kind.
  if [[ -n ${BAREFXT_FULL:-} ]] || ! { "$host" || "$sanitizers"; }; then more=(-C Full); fi
  [[ -z ${BAREFXT_FULL:-} ]] || timeout=7200
  ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j4 --timeout "$timeout" \
    --output-junit junit.xml ${more[@]+"${more[@]}"} "$@" || status=$?
  all=$(count "$preset" tests)
  bad=$(count "$preset" failures)
  not_run=$(($(count "$preset" skipped) + $(count "$preset" disabled)))
  passed=$((passed + all - bad - not_run))
  failed=$((failed + bad))
  skipped=$((skipped + not_run))
  sed -n 's/.*<testcase name="\([^"]*\)".* time="\([0-9.]*\)".*/\2 \1/p' "build/$preset/junit.xml" |
    sed "s/\$/ ($preset)/" >>"$times"
  if ((status != 0)); then
    echo "test.sh: ctest of the preset '$preset' ended with status $status" >&2
    with_failures+=("$preset")
  fi
  any_failure=$((any_failure | status))
}

# Prints the end of each failed test's output, then their names: thousands of lines lie between a failure and the end of
# the run, and a reader of a CI's log often has only its last hundred.
print_failures() {
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

# A regular expression for one of these labels, and no other that it is a part of.
one_of() { # LABEL...
  local IFS='|'
  echo "^($*)\$"
}

# Sets `unit` to the CPU seconds of one compilation of toolchain/yardstick.cpp, in which a run is compared with runs on other machines.
take_yardstick() {
  take_cpu_seconds
  local begin=$cpu
  for _ in 1 2; do g++ -std=c++20 -O2 -c toolchain/yardstick.cpp -o build/yardstick.o; done
  take_cpu_seconds
  unit=$(awk -v seconds=$((cpu - begin)) 'BEGIN { printf "%.2f", seconds / 2 }')
}

# A default run from nothing, of the last commit: its CPU time against what toolchain/cpu-budget.txt allows.
hold_to_cpu_budget() {
  rm -rf build/default-run
  git clone --quiet . build/default-run
  env -u BAREFXT_FULL -u ASAN_OPTIONS -u CMAKE_C_COMPILER_LAUNCHER -u CMAKE_CXX_COMPILER_LAUNCHER \
    build/default-run/toolchain/test.sh >build/default-run.log || {
    tail -n 100 build/default-run.log
    return 1
  }
  grep '^== .*CPU-s$' build/default-run.log
  local recorded measured
  recorded=$(sed '/^#/d' toolchain/cpu-budget.txt)
  measured=$(sed -n 's/^In all: .*, \([0-9]*\) yardsticks.*/\1/p' build/default-run.log)
  echo "A default run takes $measured yardsticks of CPU time; $recorded are recorded"
  ((measured * 10 <= recorded * 11)) || {
    echo "test.sh: more than a tenth above toolchain/cpu-budget.txt. Hint: see the stages above" >&2
    return 1
  }
}

stage "packages" toolchain/setup.sh --with-tests "${packages[@]}"
take_yardstick
begin_cpu=$cpu
if "$everything" && [[ -n ${BAREFXT_FULL:-} ]]; then
  stage "CPU time of a default run" hold_to_cpu_budget || any_failure=1
fi
# The tests of a target run with the host build, which has the tools that read the traces. Tests that do not run are not built.
of_host=(-DBAREFXT_QEMU_RUNS=ON)
((${#chosen[@]} > 0)) || of_host=(-DBAREFXT_QEMU_RUNS=OFF)
# A default run has host_test under sanitizers, and of the runtime's variants a sample.
host_tests=all
sanitized_tests=all
if [[ -z ${BAREFXT_FULL:-} ]]; then
  sanitized_tests=sanitized
  if "$everything"; then host_tests=delivered; fi
fi
of_host+=(-DBAREFXT_TESTS="$host_tests")
"$host" || of_host+=(-- barefxt qemu-tests/tests/all)
if "$host" || ((${#chosen[@]} > 0)); then
  stage "build: host, GCC" build host -DBAREFXT_HOST_TESTS=ON -DBAREFXT_PNG=ON "${of_host[@]}"
fi
presets=()
for target in ${chosen[@]+"${chosen[@]}"}; do
  for compiler in ${compilers[$target]}; do
    [[ $compiler == gcc ]] && presets+=("$target") || presets+=("$target-$compiler")
    [[ -n ${BAREFXT_FULL:-} || -z ${near_relatives[$target]:-} ]] || break
  done
done
((${#presets[@]} == 0)) || stage "build: ${#presets[@]} images" build_images "${presets[@]}"

# Labels of tests that do not run.
left_out=()
extent=(-C Full)
if [[ -z ${BAREFXT_FULL:-} ]]; then
  left_out+=(full)
  "$everything" || left_out+=(whole)
  extent=()
fi
for target in "${targets[@]}"; do
  [[ " ${chosen[*]} " == *" $target "* ]] || left_out+=("$target")
done
wanted=()
"$host" || wanted=(-L "$(one_of ${chosen[@]+"${chosen[@]}"})")
if "$host" || ((${#chosen[@]} > 0)); then
  stage "tests" run_tests host ${extent[@]+"${extent[@]}"} ${wanted[@]+"${wanted[@]}"} -LE "$(one_of none ${left_out[@]+"${left_out[@]}"})"
fi
# Those labelled project look at the sources and need to run only once.
if "$sanitizers"; then
  # With clang, which compiles for its sanitizers several times faster than GCC: so this is the build
  # with the other compiler as well.
  stage "build: host, clang, sanitizers" build host-asan -DBAREFXT_TESTS="$sanitized_tests"
  stage "tests under sanitizers" run_tests host-asan ${extent[@]+"${extent[@]}"} -LE "$(one_of "${targets[@]}" project)"
  stage "build: the runtime, ThreadSanitizer" build host-tsan -- runtime_torture_test linear_torture_test
  stage "tests under ThreadSanitizer" run_tests host-tsan -L torture
  if [[ -n ${BAREFXT_FULL:-} ]]; then
    stage "build: fuzzers" build host-fuzz -- host-tests/fuzz/all
    stage "fuzzers" run_tests host-fuzz -L fuzz
  fi
fi

if [[ -n ${BAREFXT_FULL:-} ]]; then
  # An include that is missing shows only where each file is compiled by itself.
  stage "build: host, file by file" build host-files -DBAREFXT_HOST_TESTS=OFF
  commit=$(git describe --always --dirty)
  logs=(build/*/Testing/Temporary/LastTest.log)
  toolchain/reliability.sh build/reliability "${logs[@]/#/$commit=}"
fi

print_failures
echo "The slowest tests, in seconds while others ran beside them:"
# Not `head`: sort could not write the rest, and pipefail would make that the end of the run.
sort -rn "$times" | sed -n 1,10p
take_cpu_seconds
awk -v wall="$SECONDS" -v cpu=$((cpu - begin_cpu)) -v unit="$unit" \
  'BEGIN { printf "In all: %d s, %d CPU-s, %d yardsticks of %.2f CPU-s\n", wall, cpu, cpu / unit, unit }'
if ((skipped > 0)); then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
((any_failure == 0))
