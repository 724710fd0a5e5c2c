#!/usr/bin/env bash
# examples/zephyr with the kernel in BAREFXT_ZEPHYR_DIR: it builds for qemu_riscv32, with the distribution's compiler and without west,
# and its trace has the threads and their waits. Skipped without the kernel.
set -euo pipefail
source=$1 work=$2 build=$3
kernel=${BAREFXT_ZEPHYR_DIR:-}
[[ -e $kernel/Kconfig.zephyr ]] || {
  echo "SKIPPED: BAREFXT_ZEPHYR_DIR is not the folder of Zephyr"
  exit 77
}
rm -rf "$work"
mkdir -p "$work/examples"
ln -s "$source"/{runtime,port,linker,zephyr} "$work"
cp -r "$source/examples/zephyr" "$work/examples"
app=$work/examples/zephyr
# shellcheck source=host-tests/project/kernels/zephyr/tools.sh
. "$source/host-tests/project/kernels/zephyr/tools.sh"
sed -i "s/^CONFIG_CPP=y/$(cpp_option "$kernel")/" "$app/prj.conf"
tools "$work" qemu_riscv32 "$kernel"
# Without west, older kernels find modules only if ZEPHYR_MODULES names one.
{
  cmake -S "$app" -B "$work/build" -G Ninja -DBOARD=qemu_riscv32 -DZEPHYR_MODULES="$work" -DBUILD_VERSION=x \
    -DPython3_EXECUTABLE=/usr/bin/python3 -DUSER_CACHE_DIR="$work/cache" && cmake --build "$work/build" -j 2
} >"$work/log" 2>&1 || {
  tail -n 40 "$work/log"
  echo "FAILED: examples/zephyr does not build"
  exit 1
}
# The image does not end by itself.
timeout 20 qemu-system-riscv32 -machine virt -bios none -m 256 -icount shift=6,sleep=off -display none -monitor none -net none \
  -serial file:"$work/trace.raw" -kernel "$work/build/zephyr/zephyr.elf" || true
"$build/barefxt" rebuild "$work/trace.raw" -o "$work/trace.fxt"
"$build/barefxt" lint "$work/trace.fxt"
"$build/barefxt" print --json "$work/trace.fxt" >"$work/trace.json"
for event in produced consume; do
  number=$(grep -c "\"name\":\"$event\"" "$work/trace.json" || true)
  # An instant, or a begin and an end.
  ((number == 50 || number == 100)) || {
    echo "FAILED: $number events '$event'"
    exit 1
  }
done
"$build/barefxt" stats "$work/trace.fxt" >"$work/stats"
for thread in producer consumer; do
  grep -q "^$thread " "$work/stats" || {
    cat "$work/stats"
    echo "FAILED: stats has no thread $thread"
    exit 1
  }
done
