#!/usr/bin/env bash
# An image with 32767 strings links; one more, and the linker says in plain words what is wrong.
set -euo pipefail
source=$1 work=$2
image=$source/host-tests/project/image
mkdir -p "$work"

# What BAREFXT_STRING leaves in an object file, N times.
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

link() { # LINKER
  "$1" -L "$source/linker" -T "$image/image.ld" "$work/start.o" "$work/strings.o" -o "$work/image.elf" 2>"$work/errors"
}

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
done
