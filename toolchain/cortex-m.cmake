# Flags of kernel code for Cortex-M, for both compilers. The including file sets the core in barefxt_core, and may add
# flags of its compiler's in barefxt_compiler_flags.
#
# -mfloat-abi=soft: a kernel does not save floating-point registers.
#
# -mno-unaligned-access: the fault handlers' traps on unaligned accesses are on.
set(BAREFXT_PORT armv7m CACHE STRING "Folder under port/arch")
set(BAREFXT_BOARD mps2 CACHE STRING "Folder under qemu-tests/board")
set(BAREFXT_MAX_CPUS 1 CACHE STRING "")

# The board's counter, see port/arch/armv7m: by default the CMSDK APB timer 0 of MPS2.
if(NOT DEFINED barefxt_counter_flags)
  set(barefxt_counter_flags
      "-DBAREFXT_ARMV7M_COUNTER=0x40000004 -DBAREFXT_ARMV7M_COUNTS_DOWN=1 -DBAREFXT_ARMV7M_FREQUENCY=25000000")
endif()

set(barefxt_target_flags
    "${barefxt_counter_flags} -ffreestanding -fno-pic -mthumb -mcpu=${barefxt_core} -mfloat-abi=soft -mno-unaligned-access ${barefxt_compiler_flags}")
include(${CMAKE_CURRENT_LIST_DIR}/kernel_code.cmake)
set(CMAKE_ASM_FLAGS_INIT "${barefxt_counter_flags} -mthumb -mcpu=${barefxt_core}")
