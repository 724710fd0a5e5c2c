#!/usr/bin/env bash
# Installs the Debian 12 packages that the demo on AArch64, or all of the tests and targets, need: those
# that are missing and no others. When nothing is missing it needs neither root nor the network.
set -euo pipefail

usage() {
  echo "usage: toolchain/setup.sh [demo|test]"
  echo "Installs what toolchain/demo.sh on AArch64, or toolchain/test.sh (the default), needs."
}

# Configuring the host build finds the test libraries, even if only the command is built then.
packages=(cmake ninja-build g++ libcli11-dev nlohmann-json3-dev libgtest-dev libgmock-dev
  librapidcheck-dev libzstd-dev zlib1g-dev libcairo2-dev pkgconf
  gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-system-arm)

case "${1:-test}" in
  demo) ;;
  test)
    packages+=(babeltrace2 clang-19 lld-19 llvm-19 libclang-rt-19-dev clang-format-19 clang-tidy-19 shellcheck spin
      gdb-multiarch gcc-arm-none-eabi gcc-m68k-linux-gnu g++-m68k-linux-gnu gcc-riscv64-unknown-elf
      qemu-system-misc qemu-system-x86 git groff-base make meson valgrind zsh
      chromium chromium-driver esbuild)
    ;;
  -h | --help)
    usage
    exit 0
    ;;
  *)
    usage >&2
    exit 2
    ;;
esac

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "setup.sh: needs root or sudo to install: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -q -y --no-install-recommends "${missing[@]}"
