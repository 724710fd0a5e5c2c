#!/usr/bin/env bash
# An image with 32767 strings links; with one more, the linker's message explains what is wrong. It also
# does not let one forget the index, and the place of the index among the sections does not matter.
set -euo pipefail
source=$1 work=$2
image=$source/host-tests/project/image/aarch64
mkdir -p "$work"

# The sections that BAREFXT_STRING leaves in an object file, N times.
objects() { # COUNT COMPILER...
  cat >"$work/strings.S" <<END
  .section .rodata, "a"
text:
  .asciz "a text"
  .section barefxt_strings, "a"
  .balign 4
  .rept $1
  .long text - .
  .endr
  .section barefxt_index, ""
  .skip $1
  .text
  .global main
main:
  mov w0, #0
  ret
END
  shift
  "$@" -c "$work/strings.S" -o "$work/strings.o"
  "$@" -c "$image/start.S" -o "$work/start.o"
}

link() { # LINKER [SCRIPT]
  "$1" -L "$source/linker" -T "${2:-$image/image.ld}" "$work/start.o" "$work/strings.o" -o "$work/image.elf" 2>"$work/errors"
}

grep -v barefxt_index.ld "$image/image.ld" >"$work/without_index.ld"
sed 's/^  .data :/  INCLUDE barefxt_index.ld\n&/' "$work/without_index.ld" >"$work/index_in_the_middle.ld"

for linker in aarch64-linux-gnu-ld ld.lld-19; do
  objects 32767 aarch64-linux-gnu-gcc
  link $linker || {
    cat "$work/errors"
    echo "FAILED: 32767 strings should link with $linker"
    exit 1
  }
  objects 32768 aarch64-linux-gnu-gcc
  if link $linker || ! grep -q "barefxt: more than 32767 interned strings" "$work/errors"; then
    cat "$work/errors"
    echo "FAILED: 32768 strings should not link with $linker, and it should say why"
    exit 1
  fi

  objects 3 aarch64-linux-gnu-gcc
  if link $linker "$work/without_index.ld" || ! grep -q "barefxt_index_is_included" "$work/errors"; then
    cat "$work/errors"
    echo "FAILED: $linker should miss barefxt_index.ld"
    exit 1
  fi
  link $linker "$work/index_in_the_middle.ld"
  aarch64-linux-gnu-readelf -lW "$work/image.elf" >"$work/segments"
  if grep -q 'LOAD .* 0x0000000000000000 0x0000' "$work/segments"; then
    echo "FAILED: behind the index $linker goes on at address 0"
    exit 1
  fi
done
