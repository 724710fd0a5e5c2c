#!/usr/bin/env bash
# make.sh SOURCE KERNEL OUT run|size OPTION...: LK's application, run into OUT/trace.raw; with the option -DINJECTED that of
# injected.c.
set -euo pipefail
here=$(dirname "$0") source=$1 kernel=$2 out=$3 goal=$4
mkdir -p "$out/mine"
cp -r "$here"/{app,project} "$out/mine"
cp "$here/../injected.h" "$out/mine/app/inversion"
cpus=()
if [[ ${*:5} == *-DINJECTED* ]]; then
  cp "$here/injected.c" "$out/mine/app/inversion/main.c"
  cpus=(CPUS=2)
fi
ln -sfn "$source" "$out/barefxt"
ln -sfn "$kernel" "$out/lk"
cp "$kernel/makefile" "$out"
cat >"$out/lk_inc.mk" <<'END'
LKMAKEROOT := .
LKINC := mine barefxt
LKROOT := lk
BUILDROOT := .
END
cd "$out"
options=${*:5}
export ARCH_arm64_TOOLCHAIN_PREFIX=aarch64-linux-gnu-
make -j 2 inversion "${cpus[@]}" ARCH_arm64_COMPILEFLAGS=-mno-outline-atomics OPTIONS="${options//-D/}"
elf=build-inversion/lk.elf
case $goal in
  run) qemu-system-aarch64 -M virt -cpu cortex-a53 -smp "$((1 + ${#cpus[@]}))" -m 128 -icount shift=6 -display none -monitor none -nic none \
    -serial file:trace.raw -kernel "$elf" ;;
  size) aarch64-linux-gnu-size "$elf" | awk 'NR == 2 { print "flash " $1 + $2 ", RAM " $2 + $3 }' ;;
esac
