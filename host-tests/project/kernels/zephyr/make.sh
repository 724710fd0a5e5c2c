#!/usr/bin/env bash
# make.sh SOURCE KERNEL OUT run|size OPTION...: Zephyr's application on qemu_riscv32, run into OUT/trace.raw. With the
# distribution's compiler and Python, without west.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) source=$1 kernel=$2 out=$3 goal=$4
# shellcheck source=host-tests/project/kernels/zephyr/tools.sh
. "$here/tools.sh"
mkdir -p "$out"
cp -r "$here"/{CMakeLists.txt,prj.conf,src} "$out"
cpp_option "$kernel" >>"$out/prj.conf"
# The libc's heap has had two names.
[[ -e $kernel/lib/libc/common/source/stdlib/malloc.c ]] && libc=COMMON || libc=MINIMAL
echo "CONFIG_${libc}_LIBC_MALLOC_ARENA_SIZE=1024" >>"$out/prj.conf"
options=BAREFXT_DISABLED=0
[[ ${*:5} == *BAREFXT_DISABLED* ]] && options=BAREFXT_DISABLED=1
echo "CONFIG_BAREFXT_OPTIONS=\"$options\"" >>"$out/prj.conf"
tools "$out" qemu_riscv32 "$kernel"
cmake -S "$out" -B "$out/build" -G Ninja -DBOARD=qemu_riscv32 -DZEPHYR_MODULES="$source" -DBUILD_VERSION=x \
  -DPython3_EXECUTABLE=/usr/bin/python3 -DUSER_CACHE_DIR="$out/cache" -DOPTIONS="${*:5}"
cmake --build "$out/build" -j 2
elf=$out/build/zephyr/zephyr.elf
case $goal in
  run) timeout 60 qemu-system-riscv32 -machine virt -bios none -m 256 -icount shift=6 -display none -monitor none -net none \
    -serial file:"$out/trace.raw" -kernel "$elf" ;;
  size) riscv64-unknown-elf-size "$elf" | awk 'NR == 2 { print "flash " $1 + $2 ", RAM " $2 + $3 }' ;;
esac
