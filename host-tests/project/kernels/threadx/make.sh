#!/usr/bin/env bash
# make.sh SOURCE KERNEL OUT run|size OPTION...: ThreadX's application, run into OUT/trace.raw.
set -euo pipefail
here=$(dirname "$0")
mkdir -p "$3"
cp "$here"/{Makefile,main.c,tx_user.h} "$3"
make -s -j 2 -C "$3" BAREFXT="$1" KERNEL="$2" OPTIONS="${*:5}" "$4"
