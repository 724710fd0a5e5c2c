#!/usr/bin/env bash
# make.sh SOURCE KERNEL OUT run|size OPTION...: Zephyr's application on qemu_riscv32, run into OUT/trace.raw. With the
# distribution's compiler and Python, without west.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) source=$1 kernel=$2 out=$3 goal=$4
mkdir -p "$out"
cp -r "$here"/{CMakeLists.txt,prj.conf,src} "$out"
echo "CONFIG_$([[ -e $kernel/lib/cpp/Kconfig ]] && echo CPP || echo CPLUSPLUS)=y" >>"$out/prj.conf"
options=BAREFXT_DISABLED=0
[[ ${*:5} == *BAREFXT_DISABLED* ]] && options=BAREFXT_DISABLED=1
echo "CONFIG_BAREFXT_OPTIONS=\"$options\"" >>"$out/prj.conf"
# GCC 12 has another name for what older kernels' -march means, and libraries under the old one alone.
mkdir -p "$out/bin"
for tool in gcc g++ ar as ld nm objcopy objdump ranlib readelf size strip gdb; do
  ln -sf "$(command -v "riscv64-unknown-elf-$tool" || echo /bin/false)" "$out/bin/riscv-$tool"
done
for tool in gcc g++; do
  rm "$out/bin/riscv-$tool"
  cat >"$out/bin/riscv-$tool" <<END
#!/bin/bash
exec riscv64-unknown-elf-$tool -misa-spec=2.2 "\${@/_zicsr_zifencei/}"
END
  chmod +x "$out/bin/riscv-$tool"
done
export ZEPHYR_BASE=$kernel ZEPHYR_TOOLCHAIN_VARIANT=cross-compile CROSS_COMPILE=$out/bin/riscv-
cmake -S "$out" -B "$out/build" -G Ninja -DBOARD=qemu_riscv32 -DZEPHYR_MODULES="$source" -DBUILD_VERSION=x \
  -DPython3_EXECUTABLE=/usr/bin/python3 -DUSER_CACHE_DIR="$out/cache" -DOPTIONS="${*:5}"
cmake --build "$out/build" -j 2
elf=$out/build/zephyr/zephyr.elf
case $goal in
  run) timeout 60 qemu-system-riscv32 -machine virt -bios none -m 256 -icount shift=6 -display none -monitor none -net none \
    -serial file:"$out/trace.raw" -kernel "$elf" ;;
  size) riscv64-unknown-elf-size "$elf" | awk 'NR == 2 { print "flash " $1 + $2 ", RAM " $2 + $3 }' ;;
esac
