# AArch64 with big-endian data (instructions are little-endian in either case). Debian's compiler for little-endian
# Linux does both, and passes the choice to its linker.
set(BAREFXT_TARGET aarch64_be CACHE STRING "Name of the target, as in build/costs.json")
set(BAREFXT_BOARD aarch64-virt CACHE STRING "Folder under qemu-tests/board")
set(barefxt_architecture_flags "-mbig-endian")
include(${CMAKE_CURRENT_LIST_DIR}/aarch64-gcc.cmake)
