#!/usr/bin/env bash
# Strings intern right with each compiler, at each level, with and without link-time optimization, on
# this machine or a target: the program counts and compares for itself (strings/check.cpp), here or in
# QEMU.
set -euo pipefail
source=$1 work=$2 target=$4
fixture=$source/host-tests/project
mkdir -p "$work"

# The image in question, for messages.
image=none
trap 'status=$?; ((status == 0)) || echo "FAILED: $image"' EXIT

# A program for this machine: compile all with COMPILER at LEVEL, link, run.
host() { # NAME C CXX LEVEL OF-CODE OF-LINK [OPTION]
  local out=$work/$1 c=$2 cxx=$3 level=$4 file
  local common=("$level" -ffreestanding "$5" "${@:7}" -Wall -Wextra -Werror -ffunction-sections -fdata-sections
    -I "$source/runtime/include" -I "$source/port/arch/host")
  local objects=()
  mkdir -p "$out"
  for file in check first second; do
    "$cxx" -std=c++17 -fno-exceptions -fno-rtti -nostdinc++ "${common[@]}" \
      -c "$fixture/strings/$file.cpp" -o "$out/$file.o"
    objects+=("$out/$file.o")
  done
  "$c" -std=gnu11 "${common[@]}" -c "$fixture/strings/from_c.c" -o "$out/from_c.o"
  [[ $# -lt 7 ]] || {
    "$c" -std=gnu11 "${common[@]}" -c "$fixture/strings/program_texts.c" -o "$out/program_texts.o"
    objects+=("$out/program_texts.o")
  }
  "$cxx" "$level" "$6" -Wl,--gc-sections -L "$source/linker" -o "$out/program" "${objects[@]}" "$out/from_c.o" \
    "-Wl,-T,$source/linker/barefxt_insert.ld"
  "$out/program"
}

if [[ $target == host ]]; then
  for level in O0 O2 Os; do
    for compilers in "gcc g++" "clang-19 clang++-19"; do
      read -r c cxx <<<"$compilers"
      image=$c-$level
      host "$image" "$c" "$cxx" "-$level" -fno-pic -no-pie
      host "$image-pie" "$c" "$cxx" "-$level" -fPIE -pie
      image=$c-$level-in-elf
      host "$image" "$c" "$cxx" "-$level" -fno-pic -no-pie -DBAREFXT_STRINGS_IN_ELF=1
      host "$image-pie" "$c" "$cxx" "-$level" -fPIE -pie -DBAREFXT_STRINGS_IN_ELF=1
      echo "right: $image"
    done
  done
  exit
fi

for compiler in gcc clang; do
  toolchain=$source/toolchain/$target-$compiler.cmake
  [[ -e $toolchain ]] || continue
  image=$compiler
  mkdir -p "$work/$compiler"
  {
    cmake -S "$fixture/strings" -B "$work/$compiler" -G Ninja --toolchain "$toolchain" \
      -DBAREFXT_SOURCE="$source" -DIMAGE="$fixture/image" && cmake --build "$work/$compiler"
  } >"$work/$compiler/log" 2>&1 || {
    cat "$work/$compiler/log"
    exit 1
  }
  for level in O0 O2 Os O2-flto O0-fPIE O2-fPIE; do
    [[ -e $work/$compiler/strings_$level ]] || continue
    image=$compiler-$level
    "$fixture/image/run.sh" "$source" "$target" "$work/$compiler/strings_$level"
    echo "right: $image"
  done
done
