#!/usr/bin/env bash
# Boots the demo kernel in QEMU, traced, and rebuilds its archive on the host.
set -euo pipefail

usage() {
  cat <<'END'
usage: toolchain/demo.sh [--target TARGET] [--semihosting]

  --target TARGET   what the demo kernel runs on; there is: aarch64 (the default)
  --semihosting     take the trace through a file instead of the UART

Leaves in build/demo: kernel.elf, uart.raw (what the UART sent), trace.fxt (the archive).
END
}

reject() {
  echo "demo.sh: $1" >&2
  exit 2
}

dump=uart
while (($# > 0)); do
  case "$1" in
    --target | --target=*)
      if [[ $1 == --target ]]; then
        (($# > 1)) || reject "--target needs a name; there is: aarch64"
        shift
      fi
      [[ ${1#--target=} == aarch64 ]] || reject "no target '${1#--target=}'; there is: aarch64"
      ;;
    --semihosting) dump=semihosting ;;
    --functions) reject "function calls are not recorded yet; there is: --target aarch64, --semihosting" ;;
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

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
toolchain/setup.sh demo

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
build aarch64 kernel

# QEMU works inside build/demo, so that no path with a comma or a space gets into its options.
cd build/demo
rm -f uart.raw semihosting.raw trace.fxt
cp ../aarch64/qemu-tests/kernel.elf kernel.elf

arguments="enable=on,target=native,arg=kernel,arg=seconds=2,arg=dump=$dump"
capture=uart.raw
if [[ $dump == semihosting ]]; then
  capture=semihosting.raw
  arguments+=",arg=file=$capture"
fi

echo "Running the kernel: 4 CPUs, 2 seconds of its own time"
status=0
timeout 180 qemu-system-aarch64 -M virt -cpu cortex-a57 -smp 4 -m 128 \
  -display none -monitor none -nic none -serial file:uart.raw \
  -semihosting-config "$arguments" -kernel kernel.elf || status=$?
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
