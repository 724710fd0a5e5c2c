#!/usr/bin/env bash
# make.sh SOURCE KERNEL OUT run|size OPTION...: NuttX's application on QEMU's virt machine, one AArch64 CPU, run into
# OUT/trace.raw; with the option -DINJECTED that of injected.c. NuttX builds in its own tree, so in a copy. nuttx-apps is the folder `apps` beside the kernel's.
set -euo pipefail
here=$(dirname "$0") source=$1 kernel=$2 out=$3 goal=$4
mkdir -p "$out"
if [[ ! -e $out/nuttx ]]; then
  cp -al "$kernel" "$out/nuttx"
  cp -al "$(dirname "$kernel")/apps" "$out/apps"
fi
rm -rf "$out/apps/inversion"
cp -r "$here/inversion" "$out/apps"
cp "$here/../injected.h" "$out/apps/inversion"
more=()
if [[ ${*:5} == *-DINJECTED* ]]; then
  cp "$here/injected.c" "$out/apps/inversion/main.c"
  more=(USEC_PER_TICK=1000 RR_INTERVAL=10)
fi
ln -sfn "$source/port/rtos/nuttx" "$out/apps/barefxt"
cd "$out/nuttx"
[[ -e .config ]] || ./tools/configure.sh -l qemu-armv8a:nsh
set_option() { # NAME VALUE
  sed -i -E "/^(# )?CONFIG_$1[ =]/d" .config
  if [[ $2 == n ]]; then echo "# CONFIG_$1 is not set"; else echo "CONFIG_$1=$2"; fi >>.config
}
for option in HAVE_CXX=y SCHED_INSTRUMENTATION=y SCHED_INSTRUMENTATION_SWITCH=y SCHED_INSTRUMENTATION_IRQHANDLER=y \
  SCHED_INSTRUMENTATION_WDOG=y SCHED_INSTRUMENTATION_HEAP=y DRIVERS_NOTE=y DRIVERS_NOTERAM=n BAREFXT=y BOARD_CRASHDUMP_NONE=n \
  BOARD_CRASHDUMP_CUSTOM=y INIT_ENTRYPOINT='"inversion_main"' INIT_STACKSIZE=16384 INIT_PRIORITY=200 TESTING_OSTEST=n DEVICE_TREE=n LIBC_FDT=n \
  DEBUG_OPT_UNUSED_SECTIONS=n "${more[@]}" \
  BAREFXT_OPTIONS="\"-DBAREFXT_NUTTX_TIMER_INTERRUPT=27 $(grep -o -- '-DBAREFXT_[^ ]*' <<<"${*:5}" || true)\""; do
  set_option "${option%%=*}" "${option#*=}"
done
tools=(CROSSDEV=aarch64-linux-gnu- EXTRAFLAGS=-mno-outline-atomics)
make olddefconfig "${tools[@]}"
wrap="@$source/port/rtos/nuttx/barefxt_nuttx.wrap"
[[ ${*:5} == *BAREFXT_DISABLED* ]] && wrap=
OPTIONS="${*:5}" LDFLAGS="-L$source/linker -T $source/port/rtos/nuttx/barefxt_nuttx.ld $wrap" make -j 2 "${tools[@]}"
case $goal in
  run) timeout 60 qemu-system-aarch64 -M virt,virtualization=on,gic-version=3 -cpu cortex-a53 -smp 1 -m 128 -icount shift=6 -display none -monitor none -nic none \
    -semihosting-config enable=on,target=native -serial file:"$out/trace.raw" -kernel nuttx ;;
  size) aarch64-linux-gnu-size nuttx | awk 'NR == 2 { print "flash " $1 + $2 ", RAM " $2 + $3 }' ;;
esac
