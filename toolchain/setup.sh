#!/usr/bin/env bash
# Installs the Debian 12 packages that are missing for what is named, and no others. When nothing is missing it needs neither
# root nor the network.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<END
usage: toolchain/setup.sh [--with-tests] [command | host | TARGET | all]...

  command        what building the command barefxt takes, without pictures (report --png)
  host           what the host build and its tests take
  TARGET         the cross compiler and the emulator of a target (toolchain/targets.txt), beside what the command takes
  all            everything that toolchain/test.sh uses; the default
  --with-tests   also what the tests of a TARGET use
END
}

with_tests=false
wanted=()
for word in "$@"; do
  case $word in
    --with-tests) with_tests=true ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) wanted+=("$word") ;;
  esac
done
((${#wanted[@]} > 0)) || wanted=(all)

packages=(cmake ninja-build g++ libcli11-dev libserialport-dev libzstd-dev zlib1g-dev)
# Packages that every test needs. libgtest-dev's package for CMake names the files of libgmock-dev.
testing=(libgtest-dev libgmock-dev nlohmann-json3-dev librapidcheck-dev libcairo2-dev libncurses-dev pkgconf clang-19 lld-19 llvm-19)

host_packages() {
  packages+=("${testing[@]}" babeltrace2 cmark-gfm libclang-rt-19-dev clang-format-19 clang-tidy-19 shellcheck spin
    git groff-base make meson tmux valgrind zsh chromium-driver chromium-headless-shell esbuild)
}

target_packages() { # TARGET
  grep -q "^$1 " toolchain/targets.txt || {
    echo "setup.sh: no target '$1'. Hint: toolchain/targets.txt lists them" >&2
    exit 2
  }
  case $1 in
    aarch64*) packages+=(gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-system-arm) ;;
    armv7a | cortex-*) packages+=(gcc-arm-none-eabi qemu-system-arm) ;;
    rv*) packages+=(gcc-riscv64-unknown-elf binutils-riscv64-linux-gnu qemu-system-misc) ;;
    m68k) packages+=(gcc-m68k-linux-gnu g++-m68k-linux-gnu qemu-system-misc) ;;
    x86_64) packages+=(qemu-system-x86) ;;
    *)
      echo "setup.sh: no packages are known for the target '$1'" >&2
      exit 1
      ;;
  esac
  ! "$with_tests" || packages+=("${testing[@]}" gdb-multiarch)
}

for each in "${wanted[@]}"; do
  case $each in
    command) ;;
    host) host_packages ;;
    all)
      host_packages
      with_tests=true
      while read -r target _; do
        [[ $target == \#* ]] || target_packages "$target"
      done <toolchain/targets.txt
      ;;
    *) target_packages "$each" ;;
  esac
done
mapfile -t packages < <(printf '%s\n' "${packages[@]}" | sort -u)

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
