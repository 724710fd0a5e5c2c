# Cortex-M3, as on Arm's MPS2 board with image AN385.
set(BAREFXT_TARGET cortex-m3 CACHE STRING "Name of the target, as in build/costs.json")
set(BAREFXT_MACHINE an385 CACHE STRING "FPGA image, see qemu-tests/board/mps2/board.cmake")
set(barefxt_core cortex-m3)
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m-gcc.cmake)
