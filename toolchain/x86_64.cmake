# Flags of x86-64 kernel code, for both compilers.
#
# -mgeneral-regs-only: a kernel does not save SIMD registers.
#
# -mno-red-zone: an interrupt's frame is put where the interrupted function's red zone would be. Stacks are aligned to 8
# bytes, as nothing needs more without SIMD.
set(BAREFXT_TARGET x86_64 CACHE STRING "Name of the target, as in build/costs.json")
set(BAREFXT_PORT x86_64 CACHE STRING "Folder under port/arch")
set(BAREFXT_BOARD x86_64-q35 CACHE STRING "Folder under qemu-tests/board")

set(barefxt_target_flags "-ffreestanding -fno-pic -mgeneral-regs-only -mno-red-zone -fno-asynchronous-unwind-tables ${barefxt_compiler_flags}")
include(${CMAKE_CURRENT_LIST_DIR}/kernel_code.cmake)
