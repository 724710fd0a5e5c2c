# Cortex-M33, as on Arm's MPS2 board with image AN505, in its secure state.
set(BAREFXT_TARGET cortex-m33 CACHE STRING "Name of the target, as in build/costs.json")
set(BAREFXT_MACHINE an505 CACHE STRING "FPGA image, see qemu-tests/board/mps2/board.cmake")
# It has no DSP instructions there.
set(barefxt_core cortex-m33+nodsp)
set(barefxt_counter_flags
    "-DBAREFXT_ARMV7M_COUNTER=0x50000004 -DBAREFXT_ARMV7M_COUNTS_DOWN=1 -DBAREFXT_ARMV7M_FREQUENCY=20000000")
