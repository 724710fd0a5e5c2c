# AArch64 with big-endian data, with clang 19 and lld.
set(BAREFXT_TARGET aarch64_be CACHE STRING "Name of the target, as in build/costs.json")
set(BAREFXT_BOARD aarch64-virt CACHE STRING "Folder under qemu-tests/board")
set(barefxt_triple aarch64_be-none-elf)
include(${CMAKE_CURRENT_LIST_DIR}/aarch64-clang.cmake)
