# Cortex-M4, as on Arm's MPS2 board with image AN386.
set(BAREFXT_TARGET cortex-m4 CACHE STRING "Name of the target, as in build/costs.json")
set(BAREFXT_MACHINE an386 CACHE STRING "FPGA image, see qemu-tests/board/mps2/board.cmake")
set(barefxt_core cortex-m4)
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m-clang.cmake)
