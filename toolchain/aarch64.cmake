# Flags of AArch64 kernel code, for both compilers.
#
# -mgeneral-regs-only: a kernel does not save SIMD registers, and an early one traps on them.
#
# -mstrict-align: before the MMU is on, unaligned accesses fault.
#
# -mno-outline-atomics: no calls into libgcc for atomics (the outlined helpers ask a Linux hwcap).
set(BAREFXT_TARGET aarch64 CACHE STRING "Name of the target, as in build/costs.json")
set(BAREFXT_PORT aarch64 CACHE STRING "Folder under port/arch")

set(barefxt_target_flags "-ffreestanding -fno-pic -mgeneral-regs-only -mstrict-align -mno-outline-atomics ${barefxt_architecture_flags}")
include(${CMAKE_CURRENT_LIST_DIR}/kernel_code.cmake)
set(CMAKE_ASM_FLAGS_INIT "${barefxt_architecture_flags}")
