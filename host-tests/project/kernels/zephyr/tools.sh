#!/usr/bin/env bash
# Sourced: `tools FOLDER BOARD KERNEL` lets Zephyr's build take the distribution's compiler for the board, without west.
# FOLDER gets commands where that compiler needs another word.
# shellcheck disable=SC2016  # the commands expand their arguments
tools() {
  # Some compilers have no such folder, and the build stops at a name without a path.
  local bin=$1/bin prefix without='"${@/file-name=include-fixed/file-name=include}"' change='"$@"' tool arguments
  mkdir -p "$bin"
  case $2 in
  # GCC 12 has another name for what older kernels' -march means, and libraries under the old one alone.
  qemu_riscv*) prefix=riscv64-unknown-elf change='-misa-spec=2.2 "${@/_zicsr_zifencei/}"' ;;
  qemu_x86*) prefix=x86_64-linux-gnu change=$without ;;
  qemu_cortex_a*) prefix=aarch64-linux-gnu change=$without ;;
  *) prefix=arm-none-eabi ;;
  esac
  for tool in gcc g++ ar as ld nm objcopy objdump ranlib readelf size strip gdb; do
    [[ $tool == g[c+]* ]] && arguments=$change || arguments='"$@"'
    printf '#!/bin/bash\nexec %s-%s %s\n' "$prefix" "$tool" "$arguments" >"$bin/zephyr-$tool"
    chmod +x "$bin/zephyr-$tool"
  done
  export ZEPHYR_BASE=$3 ZEPHYR_TOOLCHAIN_VARIANT=cross-compile CROSS_COMPILE=$bin/zephyr-
}
# cpp_option KERNEL: before 3.3 the option for C++ has another name.
cpp_option() { [[ -e $1/lib/cpp/Kconfig ]] && echo CONFIG_CPP=y || echo CONFIG_CPLUSPLUS=y; }
# board_option KERNEL BOARD: since 3.7 a variant of a board is named behind the board's chip.
board_option() {
  local base=${2%_smp} chip
  chip=$(sed -n 's/^ *- name: *\(.*\)/\1/p;T;q' "$1/boards/qemu/${base#qemu_}/board.yml" 2>/dev/null || true)
  [[ $2 == *_smp && -n $chip ]] && echo "$base/$chip/smp" || echo "$2"
}
