#!/usr/bin/env bash
# Boots the demo kernel in QEMU, traced, and rebuilds its archive on the host.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
targets=$(sed -e '/^#/d' -e 's/ .*//' toolchain/targets.txt | paste -s -d ' ')

usage() {
  cat <<END
usage: toolchain/demo.sh [--target TARGET] [--semihosting]

  --target TARGET   what the demo kernel runs on, aarch64 where nothing is said; there is:
                    $targets
  --semihosting     take the trace through a file, by semihosting where there is that, instead of the UART

Leaves in build/demo: kernel.elf, uart.raw (what the UART sent), trace.fxt (the archive).
END
}

reject() {
  echo "demo.sh: $1" >&2
  exit 2
}

dump=uart
target=aarch64
while (($# > 0)); do
  case "$1" in
    --target | --target=*)
      if [[ $1 == --target ]]; then
        (($# > 1)) || reject "--target needs a name; there is: $targets"
        shift
      fi
      target=${1#--target=}
      tr ' ' '\n' <<<"$targets" | grep -q -x -F -e "$target" || reject "no target '$target'; there is: $targets"
      ;;
    --semihosting) dump="file" ;;
    --functions) reject "function calls are not recorded yet; there is: --target TARGET, --semihosting" ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      usage >&2
      exit 2
      ;;
  esac
  shift
done

# A few packages do for AArch64; the other targets bring their compilers and emulators.
if [[ $target == aarch64* ]]; then
  toolchain/setup.sh demo
else
  toolchain/setup.sh test
fi

echo "Building the host command and the kernel"
mkdir -p build/demo
build() { # PRESET TARGET; what the tools print is of interest only if they fail
  {
    cmake --preset "$1" && cmake --build "build/$1" --target "$2"
  } >build/demo/build.log 2>&1 || {
    cat build/demo/build.log >&2
    exit 1
  }
}
build host barefxt
build "$target" kernel

# QEMU works inside build/demo, so that no path with a comma or a space gets into its options.
cd build/demo
rm -f uart.raw trace.bin trace.fxt
cp "../$target/qemu-tests/kernel.elf" kernel.elf

capture=uart.raw
if [[ $dump == file ]]; then
  capture=trace.bin
fi

# QEMU's command and its options for all CPUs.
IFS='|' read -r _ _ machine all_cpus _ < <(grep "^$target " ../../toolchain/targets.txt)
read -r -a qemu <<<"$machine $all_cpus"

cpus=1
[[ $all_cpus =~ -smp\ ([0-9]+) ]] && cpus=${BASH_REMATCH[1]}
echo "Running the kernel: $cpus CPUs, 2 seconds of its own time"
status=0
timeout 180 "${qemu[@]}" -display none -monitor none -nic none -serial file:uart.raw \
  -kernel kernel.elf -append "seconds=2 dump=$dump" || status=$?
if ((status != 0)); then
  echo "demo.sh: QEMU ended with status $status (124: its time was up); its console is in" \
    "$root/build/demo/uart.raw" >&2
  exit 1
fi

barefxt=../host/barefxt
"$barefxt" rebuild "$capture" -o trace.fxt
"$barefxt" stats trace.fxt
"$barefxt" lint trace.fxt

cat <<END

The archive: $root/build/demo/trace.fxt
To look at it, go to https://ui.perfetto.dev and choose "Open trace file".
As text: build/host/barefxt print build/demo/trace.fxt
END
