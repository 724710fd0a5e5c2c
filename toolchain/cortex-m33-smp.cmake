# Two Cortex-M33, as on Arm's MPS2+ board with image AN521: one image, a counter for each CPU.
set(BAREFXT_TARGET cortex-m33-smp CACHE STRING "Name of the target, as in build/costs.json")
set(BAREFXT_MACHINE an521 CACHE STRING "Folder under qemu-tests/board/mps2")
set(BAREFXT_MAX_CPUS 2 CACHE STRING "See runtime/include/barefxt/config.h")
# The first of the two has no DSP instructions.
set(barefxt_core cortex-m33+nodsp)
set(barefxt_counter_flags
    "-DBAREFXT_ARMV7M_COUNTER=0x50000004 -DBAREFXT_ARMV7M_COUNTER_STRIDE=0x1000 -DBAREFXT_ARMV7M_COUNTS_DOWN=1 -DBAREFXT_ARMV7M_FREQUENCY=20000000 -DBAREFXT_ARMV7M_CPU_NUMBER=0x5001f000 -DBAREFXT_ARMV7M_SHAREABLE=1")
