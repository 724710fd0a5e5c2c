#!/usr/bin/env bash
# Seeds faults of this folder into a copy of the runtime, and sees the test fail that each names: those of quick.txt, or all
# with BAREFXT_FULL=1.
#
# A fault is a file NAME.fault:
#
#   What: a line
#   File: the file that it changes, below runtime/
#   Fails: the test
#   <<<<
#   lines that stand there exactly once
#   ====
#   lines to put in their place
#   >>>>
#
# with one or more such changes. One that does not apply any more is a failure, too. Tests of ring_test and of
# linear_ring_test (Linear...) run with the runtime compiled as for them. TortureTest and LinearTortureTest run under
# ThreadSanitizer, and any of its reports is a failure. KilledOpeningTest runs with hooks
# at accesses. SchedulesTest, KilledSchedulesTest and LinearSchedulesTest run as
# ../schedules has them, the first with short positions. For each fault a line:
#
#   FAULT name=N caught_by=TEST result=ok|WHY-NOT
#
# A fault in a file of runtime/src compiles that file, and one in a header all of the runtime, as one file
# (toolchain/amalgamate.awk), and of the tests' files those that include it.
set -euo pipefail

# "compile KIND FILE", where "runtime" stands for all of it as one file, and "fault FILE" are for its own use, two at a time.
source=$1 work=$2 step=${3:-all}
here=$source/host-tests/faults
tests=$source/host-tests/runtime
jobs=2

# How the files of a kind of test are compiled and linked: sets `flags`, `link` and `support`, the files
# that each of its tests needs.
take_kind() { # KIND
  kind=$1
  link=()
  flags=(-O1)
  support=("$source"/qemu-tests/torture/{checker,frame_reader,records}.cpp "$source/port/arch/host/barefxt_port.cpp")
  case $kind in
    *TortureTest)
      flags+=(-gline-tables-only -fsanitize=thread)
      link=(-fsanitize=thread)
      ;;
    *SchedulesTest)
      flags+=(-fsanitize=thread -DBAREFXT_THREAD_SANITIZER_=0 -DBAREFXT_MAX_CPUS=1 "-I$source/host-tests")
      support=("$source/qemu-tests/torture/frame_reader.cpp" "$source/port/arch/host/barefxt_port.cpp"
        "$source"/host-tests/schedules/{explorer,instrumented,schedule,weak_memory}.cpp)
      ;;
    *) support+=("$tests/stepping.cpp") ;;
  esac
  case $kind in
    Linear*)
      flags+=(-DBAREFXT_SMALL=2 -DBAREFXT_MAX_CPUS=1 -DBAREFXT_MAX_THREADS=16)
      support+=("$tests/linear_boot.cpp")
      ;;
    TortureTest) support+=("$tests/torture_writers.cpp") ;;
    SchedulesTest)
      flags+=(-DBAREFXT_SEGMENT_BYTES=512 -DBAREFXT_POSITION_SEQUENCE_BITS=2 -DBAREFXT_HOST_LINKED=1)
      ;;
    KilledSchedulesTest) flags+=(-DBAREFXT_SEGMENT_BYTES=512 -DBAREFXT_END_RECORDS=1) ;;
    KilledOpeningTest)
      flags+=(-DBAREFXT_TEST_ACCESSES=1 -DBAREFXT_SEGMENT_BYTES=512 -DBAREFXT_MAX_CPUS=1 -DBAREFXT_END_RECORDS=1)
      support+=("$source/qemu-tests/killed/killing.cpp")
      ;;
    *)
      flags+=(-DBAREFXT_SEGMENT_BYTES=512 -DBAREFXT_END_RECORDS=1)
      support+=("$source/qemu-tests/killed/killing.cpp")
      ;;
  esac
}

kind_of() { # TEST
  case $1 in
    *TortureTest.* | *SchedulesTest.* | KilledOpeningTest.*) echo "${1%%.*}" ;;
    Linear*) echo LinearRingTest ;;
    *) echo RingTest ;;
  esac
}

# The file that defines a test.
file_of() { # TEST
  local suite=${1%%.*}
  grep -l -E "^(TYPED_)?TEST(_F)?\(${suite%/*}, ${1#*.}\)" "$tests"/*.cpp "$source"/host-tests/schedules/*.cpp
}

freestanding=(-ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics -nostdinc++)

compile() { # TREE FILE OBJECT OPTION...
  local tree=$1 file=$2 object=$3
  shift 3
  clang++-19 -std=c++17 -g0 -fno-pic "${flags[@]}" "-I$tree/runtime/include" "-I$tree/runtime/src" \
    "-I$source/port/arch/host" "-I$source/qemu-tests" -MMD "$@" -c "$file" -o "$object"
}

compile_runtime() { # TREE FOLDER
  awk -v folders="$1/runtime/include" -f "$source/toolchain/amalgamate.awk" \
    "$1/runtime/include/barefxt/barefxt.h" >"$2/barefxt.h"
  awk -v folders="$1/runtime/include:$1/runtime/src" -v ahead=barefxt/barefxt.h \
    -f "$source/toolchain/amalgamate.awk" "$1"/runtime/src/*.cpp >"$2/barefxt.cpp"
  compile "$1" "$2/barefxt.cpp" "$2/runtime-all.o" "${freestanding[@]}"
}

object_of() { # FILE: its name without a suffix
  local prefix=
  [[ $1 != */runtime/src/* ]] || prefix=runtime-
  echo "$prefix$(basename "$1" .cpp)"
}

link_test() { # FOLDER OBJECT...
  clang++-19 -fuse-ld=lld-19 "${link[@]}" -no-pie "-L$source/linker" "-Wl,-T,$source/linker/barefxt_insert.ld" \
    "${@:2}" -lgtest -lgtest_main -pthread -o "$1/test"
}

# A test that hangs ends by its limit of CPU time, as does each copy of a process that a test makes.
run_test() { # FOLDER FILTER
  (
    ulimit -t 60
    # A fault shows within the limits of the default run.
    unset BAREFXT_FULL
    TSAN_OPTIONS=halt_on_error=1 timeout 1200 "$1/test" --gtest_brief=1 "--gtest_filter=$2"
  ) 2>&1
}

field() { # NAME FILE
  sed -n "s/^$1: //p" "$2"
}

# In a copy of the runtime; what the sound build has compiled is used where it cannot differ.
build_fault() { # FAULT TREE FILE TEST
  local file sound=$work/sound/$kind objects=()
  if [[ $3 == *.cpp ]]; then
    ln -s "$sound"/runtime-*.o "$2/"
    file=$2/$(object_of "$source/$3").o
    rm "$file"
    compile "$2" "$2/$3" "$file" "${freestanding[@]}" || return
  else
    compile_runtime "$2" "$2" || return
  fi
  for file in "${support[@]}" "$(file_of "$4")"; do
    objects+=("$sound/$(object_of "$file").o")
    if grep -q -F "$source/$3" "$sound/$(object_of "$file").d"; then
      objects[-1]=$2/$(object_of "$file").o
      compile "$2" "$file" "${objects[-1]}" -include-pch "$sound/gtest.pch" || return
    fi
  done
  link_test "$2" "$2"/runtime-*.o "${objects[@]}"
}

# Prints the line of one fault.
try_fault() { # FAULT
  local fault=$1 name file test tree output why=ok
  name=$(basename "$fault" .fault)
  file=$(field File "$fault")
  test=$(field Fails "$fault")
  tree=$work/$name
  mkdir -p "$tree"
  cp -r "$source/runtime" "$tree/"
  take_kind "$(kind_of "$test")"
  if ! perl "$here/apply.pl" "$fault" "$tree/$file"; then
    why=does-not-apply
  elif ! build_fault "$fault" "$tree" "$file" "$test" >"$work/$name.log" 2>&1; then
    why=does-not-compile
  elif output=$(run_test "$tree" "$test"); then
    why=not-caught
  elif [[ $output != *"[  FAILED  ] $test"* && $output != *"WARNING: ThreadSanitizer: data race"* ]]; then
    why=ended-otherwise
  fi
  echo "FAULT name=$name caught_by=$test result=$why"
  rm -rf "$tree"
  [[ $why == ok ]] || { cat "$work/$name.log" 2>/dev/null; return 1; }
}

case $step in
  compile)
    take_kind "$4"
    folder=$work/sound/$kind
    if [[ $5 == runtime ]]; then
      compile_runtime "$source" "$folder"
    elif [[ $5 == */runtime/src/* ]]; then
      compile "$source" "$5" "$folder/$(object_of "$5").o" "${freestanding[@]}"
    elif [[ $5 == */schedules/* && $5 != *_test.cpp ]]; then
      # Their functions are those that instrumented code calls.
      compile "$source" "$5" "$folder/$(object_of "$5").o" -O2 -fno-sanitize=thread
    else
      compile "$source" "$5" "$folder/$(object_of "$5").o" -include-pch "$folder/gtest.pch"
    fi
    exit
    ;;
  fault)
    try_fault "$4"
    exit
    ;;
esac

rm -rf "$work"
mkdir -p "$work"
faults=("$here"/*.fault)
if [[ ${BAREFXT_FULL:-0} != 1 ]]; then
  all=${#faults[@]}
  mapfile -t faults < <(sed -e '/^#/d' -e "s|.*|$here/&.fault|" "$here/quick.txt")
  echo "${#faults[@]} of $all faults; all with BAREFXT_FULL=1"
  # The others are to fit the runtime as it is.
  for fault in "$here"/*.fault; do
    cp "$source/$(field File "$fault")" "$work/changed"
    perl "$here/apply.pl" "$fault" "$work/changed"
  done
fi

# Without a fault all of the named tests pass.
declare -A named files apart
for fault in "${faults[@]}"; do
  test=$(field Fails "$fault")
  take_kind "$(kind_of "$test")"
  named[$kind]+=$test:
  files[$kind]+=$(printf '%s\n' "${support[@]}" "$(file_of "$test")")$'\n'
  [[ $(field File "$fault") != *.cpp ]] || apart[$kind]=true
done
for each in "${!named[@]}"; do
  take_kind "$each"
  folder=$work/sound/$kind
  mkdir -p "$folder"
  printf '#include <%s>\n' gtest/gtest.h algorithm atomic cstring map string vector >"$folder/gtest.h"
  clang++-19 -std=c++17 -g0 -fno-pic "${flags[@]}" -fpch-instantiate-templates -x c++-header "$folder/gtest.h" \
    -o "$folder/gtest.pch"
  runtime=(runtime)
  [[ -z ${apart[$kind]:-} ]] || runtime=("$source"/runtime/src/*.cpp)
  printf '%s\n' "${runtime[@]}" "${files[$kind]}" | sort -u | sed '/^$/d' |
    xargs -P "$jobs" -n 1 "$0" "$source" "$work" compile "$kind"
  link_test "$folder" "$folder"/*.o
  run_test "$folder" "${named[$kind]}"
done

printf '%s\n' "${faults[@]}" | xargs -P "$jobs" -n 1 "$0" "$source" "$work" fault && status=0 || status=1
echo "${#faults[@]} faults"
exit "$status"
