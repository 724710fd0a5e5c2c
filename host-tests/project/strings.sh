#!/usr/bin/env bash
# Strings intern right with each compiler, at each level, with and without link-time optimization, on
# this machine or a target: the program counts and compares for itself (strings/check.cpp), here or in
# QEMU.
set -euo pipefail
source=$1 work=$2 target=$4
fixture=$source/host-tests/project
mkdir -p "$work"

# One image: compile all with COMPILER's flags, link, run.
host() { # NAME C CXX FLAG...
  local out=$work/$1 c=$2 cxx=$3
  shift 3
  mkdir -p "$out"
  compile "$out" "$c" "$cxx" -fno-pic -I "$source/port/arch/host" "$@"
  "$cxx" "$@" -no-pie -o "$out/program" "${objects[@]}" "-Wl,-T,$source/linker/barefxt_host.ld"
  "$out/program"
}

aarch64() { # NAME C CXX FLAG...
  local out=$work/$1 c=$2 cxx=$3
  shift 3
  mkdir -p "$out"
  compile "$out" "$c" "$cxx" -fno-pic -mgeneral-regs-only -mstrict-align -mno-outline-atomics \
    -I "$source/port/arch/aarch64" "$@"
  "$c" "$@" -c "$fixture/image/start.S" -o "$out/start.o"
  "$cxx" "$@" -nostdlib -static -Wl,--build-id=none -L "$source/linker" -T "$fixture/image/image.ld" \
    -Wl,--gc-sections -o "$out/image.elf" "$out/start.o" "${objects[@]}"
  timeout 60 qemu-system-aarch64 -M virt -cpu cortex-a57 -display none -monitor none -nic none \
    -serial none -semihosting-config enable=on,target=native -kernel "$out/image.elf"
}

compile() { # FOLDER C CXX FLAG...
  local out=$1 c=$2 cxx=$3 file
  shift 3
  local common=(-ffreestanding -Wall -Wextra -Werror -ffunction-sections -fdata-sections
    -I "$source/runtime/include")
  objects=()
  for file in check first second; do
    "$cxx" -std=c++17 -fno-exceptions -fno-rtti -nostdinc++ "${common[@]}" "$@" \
      -c "$fixture/strings/$file.cpp" -o "$out/$file.o"
    objects+=("$out/$file.o")
  done
  "$c" -std=gnu11 "${common[@]}" "$@" -c "$fixture/strings/from_c.c" -o "$out/from_c.o"
  objects+=("$out/from_c.o")
}

# Says which image it was that something was wrong with.
image=none
trap 'status=$?; ((status == 0)) || echo "FAILED: $image"' EXIT
run() { # host|aarch64 NAME ...
  image=$2
  "$@"
  echo "right: $image"
}

gcc_target=()
clang_target=(--target="$target-none-elf" -fuse-ld=lld-19 -Wno-unused-command-line-argument)
case "$target" in
  host)
    for level in O0 O2 Os; do
      run host "gcc-$level" gcc g++ "-$level"
      run host "clang-$level" clang-19 clang++-19 "-$level"
    done
    exit
    ;;
  aarch64_be) gcc_target=(-mbig-endian) ;;
esac
for level in "-O0" "-O2" "-Os" "-O2 -flto"; do
  read -r -a flags <<<"$level"
  name=${level// /}
  run aarch64 "gcc$name" aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ "${flags[@]}" "${gcc_target[@]}"
  run aarch64 "clang$name" clang-19 clang++-19 "${flags[@]}" "${clang_target[@]}"
done
