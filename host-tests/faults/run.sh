#!/usr/bin/env bash
# Seeds each fault of this folder into a copy of the runtime, and sees the test fail that it names.
#
# A fault is a file NAME.fault:
#
#   What: a line
#   File: the file that it changes
#   Fails: the test
#   <<<<
#   lines that stand there exactly once
#   ====
#   lines to put in their place
#   >>>>
#
# with one or more such changes. One that does not apply any more is a failure, too. Tests of ring_test
# and of linear_ring_test (Linear...) run with the runtime compiled as for them; those called TortureTest
# and LinearTortureTest under ThreadSanitizer, of which any report is a failure. For each fault a line:
#
#   FAULT name=N caught_by=TEST result=ok|WHY-NOT
set -euo pipefail

source=$1 work=$2
# For its own use, two at a time: "sound KIND:FILE" compiles a file as it is, "fault FILE" tries a fault.
step=${3:-all}
jobs=2
compiler=clang++-19

common=(-std=c++17 -g0 -fno-pic "-I$source/qemu-tests")
freestanding=(-ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics -nostdinc++)

# Compiles FILE of the tree into OBJECT.
compile() { # TREE FLAGS FILE OBJECT
  local tree=$1 flags=$2 file=$3 object=$4 kind=()
  [[ $file != runtime/* ]] || kind=("${freestanding[@]}")
  # shellcheck disable=SC2086
  "$compiler" "${common[@]}" "${kind[@]}" $flags "-I$tree/runtime/include" "-I$tree/runtime/src" \
    "-I$source/port/arch/host" -c "$tree/$file" -o "$object"
}

runtime_files() { (cd "$source" && echo runtime/src/*.cpp port/arch/host/barefxt_port.cpp); }
torture_files=(qemu-tests/torture/checker.cpp qemu-tests/torture/frame_reader.cpp qemu-tests/torture/records.cpp)
ring_files=(host-tests/runtime/ring_dump_test.cpp host-tests/runtime/ring_segments_test.cpp
  host-tests/runtime/ring_session_test.cpp host-tests/runtime/ring_test.cpp host-tests/runtime/ring_threads_test.cpp
  host-tests/runtime/stepping.cpp)
linear_files=(host-tests/runtime/linear_boot.cpp host-tests/runtime/linear_full_test.cpp host-tests/runtime/linear_memory_test.cpp
  host-tests/runtime/linear_ring_test.cpp host-tests/runtime/stepping.cpp)
linear_race_files=(host-tests/runtime/linear_boot.cpp host-tests/runtime/linear_torture_test.cpp)
linear_flags="-DBAREFXT_SMALL=2 -DBAREFXT_MAX_CPUS=1 -DBAREFXT_MAX_THREADS=16"
race_files=(host-tests/runtime/torture_test.cpp host-tests/runtime/torture_writers.cpp)

# The sources of the test that a fault names, and how they are compiled.
take_kind() { # TEST
  local test_files
  built_as=$1
  link=
  case $1 in
    LinearTortureTest.*)
      flags="-O1 -gline-tables-only -fsanitize=thread $linear_flags"
      link=-fsanitize=thread
      test_files=${linear_race_files[*]}
      ;;
    TortureTest.*)
      flags="-O1 -gline-tables-only -fsanitize=thread"
      link=-fsanitize=thread
      test_files=${race_files[*]}
      ;;
    Linear*)
      built_as=LinearRingTest
      flags="-O1 $linear_flags"
      test_files=${linear_files[*]}
      ;;
    *)
      built_as=RingTest
      flags="-O1 -DBAREFXT_SEGMENT_BYTES=512"
      test_files=${ring_files[*]}
      ;;
  esac
  read -ra files <<<"$(runtime_files) ${torture_files[*]} $test_files"
}

make_tree() { # TREE
  mkdir -p "$1"
  cp -r "$source/runtime" "$source/host-tests" "$source/qemu-tests" "$source/port" "$1/"
}

link_test() { # FOLDER
  # shellcheck disable=SC2086
  "$compiler" $link -no-pie "-L$source/linker" "-Wl,-T,$source/linker/barefxt_host.ld" "$1"/*.o \
    -lgtest -lgtest_main -pthread -o "$1/test"
}

field() { # NAME FILE
  sed -n "s/^$1: //p" "$2"
}

# In a copy of the tree; prints the line of one fault. Objects that cannot have changed are taken from
# the folder of the sound build.
try_fault() { # FAULT
  local fault=$1 name file test tree objects output why=ok
  name=$(basename "$fault" .fault)
  file=$(field File "$fault")
  test=$(field Fails "$fault")
  tree=$work/$name
  objects=$work/$name.objects
  rm -rf "$tree" "$objects"
  make_tree "$tree"
  mkdir "$objects"
  take_kind "$test"
  if ! perl "$source/host-tests/faults/apply.pl" "$fault" "$tree/$file"; then
    why=does-not-apply
  else
    for each in "${files[@]}"; do
      object=$objects/${each//\//_}.o
      sound=$work/sound/$built_as/${each//\//_}.o
      if [[ -d $work/sound/$built_as && $file == *.cpp && $each != "$file" ]]; then
        ln -s "$sound" "$object"
      else
        echo "$each $object"
      fi
    done >"$objects/list"
    if ! while read -r each object; do compile "$tree" "$flags" "$each" "$object"; done \
      <"$objects/list" >"$objects/log" 2>&1 || ! link_test "$objects" >>"$objects/log" 2>&1; then
      why=does-not-compile
    else
      output=$(TSAN_OPTIONS=halt_on_error=1 timeout 120 "$objects/test" "--gtest_filter=$test" 2>&1) &&
        why=not-caught
      if [[ $why == ok && $output != *"[  FAILED  ] $test"* && $output != *"WARNING: ThreadSanitizer: data race"* ]]; then
        why=ended-otherwise
      fi
    fi
  fi
  echo "FAULT name=$name caught_by=$test result=$why"
  [[ $why == ok ]] || { cat "$objects/log" 2>/dev/null || true; }
  rm -rf "$tree" "$objects"
  [[ $why == ok ]]
}

case $step in
  sound)
    take_kind "${4%%:*}"
    file=${4#*:}
    compile "$source" "$flags" "$file" "$work/sound/$built_as/${file//\//_}.o"
    exit
    ;;
  fault)
    try_fault "$4"
    exit
    ;;
esac

# Without a fault all of the named tests pass.
rm -rf "$work"
for each in RingTest LinearRingTest; do
  take_kind "$each"
  mkdir -p "$work/sound/$built_as"
  printf "$built_as:%s\n" "${files[@]}" | xargs -P "$jobs" -n 1 "$0" "$source" "$work" sound
  link_test "$work/sound/$built_as"
  "$work/sound/$built_as/test" --gtest_brief=1
done

faults=("$source"/host-tests/faults/*.fault)
printf '%s\n' "${faults[@]}" | xargs -P "$jobs" -n 1 "$0" "$source" "$work" fault && status=0 || status=1
echo "${#faults[@]} faults"
exit "$status"
