#!/usr/bin/env bash
# An image with 32767 strings links; one more, and the linker says in plain words what is wrong. And
# so it does when a user's script has only one of the two fragments.
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

link() { # SCRIPT LINKER
  "$2" -L "$source/linker" -T "$1" "$work/start.o" "$work/strings.o" -o "$work/image.elf" 2>"$work/errors"
}

rejected() { # SCRIPT LINKER MESSAGE
  if link "$1" "$2" || ! grep -q "$3" "$work/errors"; then
    echo "FAILED: $2 should say: $3"
    cat "$work/errors"
    exit 1
  fi
}

grep -v barefxt_strings.ld "$image/image.ld" >"$work/without_strings.ld"

for linker in aarch64-linux-gnu-ld ld.lld-19; do
  objects 32767 aarch64-linux-gnu-gcc
  link "$image/image.ld" $linker || {
    cat "$work/errors"
    echo "FAILED: 32767 strings should link with $linker"
    exit 1
  }
  objects 32768 aarch64-linux-gnu-gcc
  rejected "$image/image.ld" $linker "barefxt: more than 32767 interned strings"
  objects 3 aarch64-linux-gnu-gcc
  rejected "$work/without_strings.ld" $linker "barefxt"
done
