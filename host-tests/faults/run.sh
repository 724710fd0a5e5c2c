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
# run with the runtime compiled as for it; those called TortureTest under ThreadSanitizer, of which
# any report is a failure. For each fault a line:
#
#   FAULT name=N caught_by=TEST result=ok|WHY-NOT
set -euo pipefail

source=$1 work=$2
# For its own use, two at a time: "sound FILE" compiles a file as it is, "fault FILE" tries a fault.
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
  "$compiler" "${common[@]}" "${kind[@]}" $flags "-I$tree/runtime/include" "-I$source/port/arch/host" \
    -c "$tree/$file" -o "$object"
}

runtime_files() { (cd "$source" && echo runtime/src/*.cpp port/arch/host/barefxt_port.cpp); }
torture_files=(qemu-tests/torture/checker.cpp qemu-tests/torture/frame_reader.cpp qemu-tests/torture/records.cpp)
ring_files=(host-tests/runtime/ring_test.cpp host-tests/runtime/stepping.cpp)
race_files=(host-tests/runtime/torture_test.cpp host-tests/runtime/torture_writers.cpp)

# The sources of the test that a fault names, and how they are compiled.
take_kind() { # TEST
  if [[ $1 == TortureTest.* ]]; then
    flags="-O1 -gline-tables-only -fsanitize=thread"
    link=-fsanitize=thread
    read -ra files <<<"$(runtime_files) ${torture_files[*]} ${race_files[*]}"
  else
    flags="-O1 -DBAREFXT_SEGMENT_BYTES=512"
    link=
    read -ra files <<<"$(runtime_files) ${torture_files[*]} ${ring_files[*]}"
  fi
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
      sound=$work/sound/${each//\//_}.o
      if [[ $test == RingTest.* && $file == *.cpp && $each != "$file" ]]; then
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
    take_kind RingTest
    compile "$source" "$flags" "$4" "$work/sound/${4//\//_}.o"
    exit
    ;;
  fault)
    try_fault "$4"
    exit
    ;;
esac

# Without a fault all of the named tests pass.
rm -rf "$work"
mkdir -p "$work/sound"
take_kind RingTest
printf '%s\n' "${files[@]}" | xargs -P "$jobs" -n 1 "$0" "$source" "$work" sound
link_test "$work/sound"
"$work/sound/test" --gtest_brief=1

faults=("$source"/host-tests/faults/*.fault)
printf '%s\n' "${faults[@]}" | xargs -P "$jobs" -n 1 "$0" "$source" "$work" fault && status=0 || status=1
echo "${#faults[@]} faults"
exit "$status"
