# AArch64 from ARMv8.1 on: compare-and-swap is one instruction (LSE) rather than a loop of exclusives.
set(BAREFXT_TARGET aarch64-lse CACHE STRING "Name of the target, as in build/costs.json")
set(BAREFXT_BOARD aarch64-virt CACHE STRING "Folder under qemu-tests/board")
set(barefxt_architecture_flags "-march=armv8.1-a")
include(${CMAKE_CURRENT_LIST_DIR}/aarch64-gcc.cmake)
