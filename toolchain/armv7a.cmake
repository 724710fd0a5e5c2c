# Flags of kernel code for ARMv7-A, for both compilers.
#
# -march=armv7ve: Cortex-A7, A15, A17, which can divide.
#
# -mfloat-abi=soft, with GCC -mgeneral-regs-only as well: a kernel does not save SIMD registers, and an early one traps
# on them.
#
# -mword-relocations, and clang's -mno-movt: a constant that is an address is loaded from among the code, one
# instruction instead of two, which is one of four for a probe whose category is off.
#
# -mno-unaligned-access: before the MMU is on, unaligned accesses fault.
set(BAREFXT_TARGET armv7a CACHE STRING "Name of the target, as in build/costs.json")
set(BAREFXT_PORT armv7a CACHE STRING "Folder under port/arch")

set(barefxt_architecture_flags "-marm -march=armv7ve -mfloat-abi=soft")
set(barefxt_target_flags "-ffreestanding -fno-pic -mno-unaligned-access ${barefxt_architecture_flags} ${barefxt_compiler_flags}")
include(${CMAKE_CURRENT_LIST_DIR}/kernel_code.cmake)
set(CMAKE_ASM_FLAGS_INIT "${barefxt_architecture_flags}")
