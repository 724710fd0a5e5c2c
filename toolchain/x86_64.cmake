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
set(CMAKE_C_FLAGS_INIT "${barefxt_target_flags}")
set(CMAKE_CXX_FLAGS_INIT "${barefxt_target_flags} -fno-exceptions -fno-rtti -fno-threadsafe-statics -nostdinc++")

# The level that costs are measured at.
set(CMAKE_C_FLAGS_RELEASE "-O2" CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE "-O2" CACHE STRING "")
