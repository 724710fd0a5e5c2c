#!/usr/bin/env bash
# make.sh SOURCE KERNEL OUT run|size OPTION...: FreeRTOS's application on two cores, run into OUT/trace.raw; with the
# option -DINJECTED that of injected.c. The kernel's folder has its submodule of ports for RISC-V's virt machine.
set -euo pipefail
here=$(dirname "$0")
mkdir -p "$3/arch"
cp "$here"/{Makefile,main.c,virt.*,start.S,interrupts.h,FreeRTOSConfig.h} "$here"/../{freertos_,}injected.h "$3"
for name in cpuid interrupt ipi spinlock trap_handler; do ln -sf ../virt.h "$3/arch/$name.h"; done
[[ ${*:5} != *-DINJECTED* ]] || cp "$here/injected.c" "$3/main.c"
make -s -j 2 -C "$3" BAREFXT="$1" KERNEL="$2" OPTIONS="${*:5}" "$4"
