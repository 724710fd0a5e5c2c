# Cortex-M55, as on Arm's MPS3 board with image AN547, in its secure state.
set(BAREFXT_TARGET cortex-m55 CACHE STRING "Name of the target, as in build/costs.json")
set(BAREFXT_MACHINE an547 CACHE STRING "FPGA image, see qemu-tests/board/mps2/board.cmake")
# A kernel saves no vector registers either.
set(barefxt_core cortex-m55+nomve+nofp)
set(barefxt_counter_flags "-DBAREFXT_ARMV7M_COUNTER=0x58101000 -DBAREFXT_ARMV7M_FREQUENCY=32000000")
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m-clang.cmake)
