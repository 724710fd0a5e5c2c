#!/usr/bin/env bash
# An image that is linked as a position-independent executable, with each compiler and each linker, moves itself to
# another address at boot, and records there. The host finds all strings and names of functions, in the dump and in an
# image of the memory. In the latter the strings' texts are missing, as if they lay in flash: they come from the
# program, by the distance that it was moved. GCC's runtime is the two files for any build, compiled by barefxt.mk.
set -euo pipefail
source=$1 work=$2 build=$3 target=$4
here=$source/host-tests/project
rm -rf "$work"
mkdir -p "$work"

# A multiple of a page, and of no more.
slide=0x2345000
port=$target sleds=clang
# The compilers are used by their names, which shellcheck does not follow.
# shellcheck disable=SC2034
case $target in
aarch64)
  gcc=(aarch64-linux-gnu-gcc -mno-outline-atomics) clang=(clang-19 --target=aarch64-none-elf)
  flags=(-mgeneral-regs-only -mstrict-align) linkers=(aarch64-linux-gnu-ld ld.lld-19)
  ;;
x86_64)
  gcc=(x86_64-linux-gnu-gcc -mpreferred-stack-boundary=3) clang=(clang-19 --target=x86_64-linux-gnu -mstack-alignment=8)
  flags=(-mgeneral-regs-only -mno-red-zone -fno-asynchronous-unwind-tables) linkers=(x86_64-linux-gnu-ld ld.lld-19)
  ;;
rv64)
  # GNU's linker for bare RISC-V makes none (-pie not supported); that for Linux does.
  port=riscv sleds='' linkers=(ld.lld-19)
  gcc=(riscv64-unknown-elf-gcc) clang=(clang-19 --target=riscv64-none-elf)
  flags=(-march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -mstrict-align -DBAREFXT_RISCV_FREQUENCY=10000000)
  if command -v riscv64-linux-gnu-ld >/dev/null; then linkers+=(riscv64-linux-gnu-ld); fi
  ;;
esac

config=(-DBAREFXT_MAX_CPUS=1 -DBAREFXT_MAX_THREADS=16 -DBAREFXT_SNAPSHOTS=0 -DBAREFXT_SEGMENT_BYTES=1024 -DBAREFXT_FUNCTIONS=1)
options=(-O2 -Wall -Wextra -Werror -ffreestanding -fPIE -ffunction-sections -fdata-sections "${flags[@]}" "${config[@]}"
  -DSLIDE="$slide" -I"$source/runtime/include" -I"$source/runtime/src" -I"$source/port/arch/$port" -I"$here/image/$port")
printf '#include "%s"\n' "$source"/runtime/src/*.cpp "$source"/runtime/src/sleds/*.cpp >"$work/runtime.cpp"
for file in "$source/port/arch/$port"/*.cpp; do
  [[ ! -e $file ]] || printf '#include "%s"\n' "$file" >>"$work/runtime.cpp"
done
mkdir -p "$work/copy/single" "$work/copy/port"
ln -s "$source/port/arch" "$work/copy/port/arch"
cp "$source/toolchain/make/barefxt.mk" "$work/copy"
awk -v folders="$source/runtime/include" -f "$source/toolchain/amalgamate.awk" \
  "$source/runtime/include/barefxt/barefxt.h" >"$work/copy/single/barefxt.h"
awk -v folders="$source/runtime/include:$source/runtime/src" -v ahead=barefxt/barefxt.h \
  -f "$source/toolchain/amalgamate.awk" "$source"/runtime/src/*.cpp >"$work/copy/single/barefxt.cpp"
sed -e 's/^  \. = 0x.*/&\n  image_begin = .;/' -e 's/^  \.data :/  INCLUDE relocations.ld\n&/' \
  -e 's/{ \*(\.data /{ image_data = .; *(.got .got.plt) *(.data /' -e 's/^  \.bss .*/&\n  image_end = .;/' \
  "$here/image/$port/image.ld" >"$work/image.ld"

result=0
fail() {
  echo "FAILED: $*"
  result=1
}

# has NAME COUNT PATTERN
has() {
  local count
  count=$(grep -c -e "$3" "$work/$1.json" || true)
  ((count == $2)) || fail "$1: $count records with $3, rather than $2"
}

run() { # NAME
  local name=$1
  if ! "$here/image/run.sh" "$source" "$target" "$work/$name.elf" "$work/$name.raw"; then
    fail "$name: the image ends with an error"
    return
  fi
  "$build/barefxt" rebuild "$work/$name.raw" --elf "$work/$name.elf" -o "$work/$name.fxt" >"$work/$name.log" 2>&1 || {
    cat "$work/$name.log"
    fail "$name: the archive is not whole"
    return
  }
  "$build/barefxt" print --json "$work/$name.fxt" >"$work/$name.json"
  has "$name" 10 '"category":"boot","name":"step","args":\[{"name":"number","type":"uint32","value":[0-9]},{"name":"kind","type":"string","value":"even"}'
  has "$name" 10 '"name":"half a step"'
  has "$name" 20 '"name":"in a template"'
  has "$name" 20 '"name":"in a scope"'
  has "$name" 1 '"record":"kernel_object".*"name":"first"'
  has "$name" 20 '"category":"function","name":"named_step"'
  has "$name" 20 '"category":"function","name":"void of_a_template<1>(unsigned int)"'
}

for compiler in gcc clang; do
  declare -n c=$compiler
  cxx=("${c[@]}") by=(-finstrument-functions) extra=()
  case $compiler in
  gcc) cxx[0]=${c[0]%gcc}g++ extra=(-fno-tree-loop-distribute-patterns) by+=(-finstrument-functions-exclude-file-list=include/barefxt) ;;
  clang) cxx[0]="clang++-19" ;;
  esac
  [[ $sleds != "$compiler" ]] || by=(-fxray-instrument -fxray-instruction-threshold=1 -DSLEDS=1)
  objects=()
  compile() { # NAME COMMAND...
    "${@:2}" "${options[@]}" "${extra[@]}" -c -o "$work/$compiler-$1.o"
    objects+=("$work/$compiler-$1.o")
  }
  modern=(-std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics -nostdinc++)
  compile start "${c[@]}" "$here/image/$port/start.S"
  compile move "${c[@]}" "$here/pie/move.c"
  compile more "${cxx[@]}" "${modern[@]}" "${by[@]}" "$here/pie/more.cpp"
  if [[ $compiler == gcc ]]; then
    make -s -C "$work" -f - all CXX="${cxx[*]}" CXXFLAGS="-O2 -fPIE ${flags[*]}" BAREFXT_PORT="$port" BAREFXT_OPTIONS="${config[*]}" <<'END'
include copy/barefxt.mk
all: $(BAREFXT_OBJECTS)
END
    objects+=("$work"/barefxt-build/*.o)
  else
    compile runtime "${cxx[@]}" "${modern[@]}" "$work/runtime.cpp"
    for file in ${sleds:+"$target" "${target}_events"}; do compile "$file" "${c[@]}" "$source/runtime/src/sleds/$file.S"; done
  fi
  for memory in 0 1; do
    "${c[@]}" "${options[@]}" "${extra[@]}" "${by[@]}" -DMEMORY="$memory" -c "$here/pie/kernel.c" -o "$work/$compiler-kernel$memory.o"
    for linker in "${linkers[@]}"; do
      name=$compiler-$linker-$memory
      "$linker" -pie --no-dynamic-linker -z text --gc-sections -z noexecstack -L "$source/linker" -L "$here/pie" -T "$work/image.ld" \
        "${objects[@]}" "$work/$compiler-kernel$memory.o" -o "$work/$name.elf" || {
        fail "$name: does not link"
        continue
      }
      run "$name"
    done
  done
done

# If no linker has a way, the compiler says so, and other code compiles.
refused=(arm-none-eabi-gcc -mthumb -mcpu=cortex-m3 -DBAREFXT_ARMV7M_FREQUENCY=1 -DBAREFXT_MAX_CPUS=1 -ffreestanding
  -I"$source/runtime/include" -I"$source/port/arch/armv7m" -fsyntax-only -x c -)
for flag in -fPIE -fpic; do
  ! "${refused[@]}" "$flag" <<<'#include <barefxt/barefxt.h>' 2>"$work/refused" || fail "arm-none-eabi-gcc $flag is not refused"
  grep -q 'error: .*barefxt: no position-independent executables on this CPU' "$work/refused" || fail "$flag: no reason"
done
"${refused[@]}" -fPIE -DBAREFXT_DISABLED=1 <<<'#include <barefxt/barefxt.h>' || fail "with BAREFXT_DISABLED -fPIE is refused"
clang-19 --target=arm-none-eabi "${refused[@]:1}" -fpic <<<'#include <barefxt/barefxt.h>' || fail "clang-19 -fpic is refused"
exit "$result"
