#!/usr/bin/env bash
# make.sh SOURCE KERNEL OUT run OPTION...: the causes of injected.h under FreeRTOS, built and run into OUT/trace.raw as
# examples/freertos.
set -euo pipefail
here=$(dirname "$0") source=$1
mkdir -p "$3/example"
cp -r "$source/examples/freertos"/{Makefile,board.*,include} "$here"/{main.c,FreeRTOSConfig.h} "$here"/../{freertos_,}injected.h "$3"
cp "$source/examples/freertos/FreeRTOSConfig.h" "$3/example"
make -s -j 2 -C "$3" BAREFXT="$source" FREERTOS="$2" OPTIONS="${*:5}" "$4"
