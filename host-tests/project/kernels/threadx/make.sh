#!/usr/bin/env bash
# make.sh SOURCE KERNEL OUT run|size OPTION...: ThreadX's application, run into OUT/trace.raw; with the option
# -DINJECTED that of injected.c.
set -euo pipefail
here=$(dirname "$0")
mkdir -p "$3"
cp "$here"/{Makefile,main.c,low_level.[ch],tx_user.h} "$here/../injected.h" "$3"
[[ ${*:5} != *-DINJECTED* ]] || cp "$here/injected.c" "$3/main.c"
make -s -j 2 -C "$3" BAREFXT="$1" KERNEL="$2" OPTIONS="${*:5}" "$4"
