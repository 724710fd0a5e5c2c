# m68k bare metal with Debian's cross GCC for Linux, and code for the 68040. No C library of it is ever
# linked. No clang: its m68k is not fit for use.
set(CMAKE_SYSTEM_PROCESSOR m68k)
set(barefxt_gcc m68k-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/gcc.cmake)

set(BAREFXT_TARGET m68k CACHE STRING "Name of the target, as in build/costs.json")
set(BAREFXT_PORT m68k CACHE STRING "Folder under port/arch")
set(BAREFXT_BOARD m68k-virt CACHE STRING "Folder under qemu-tests/board")
set(BAREFXT_MAX_CPUS 1 CACHE STRING "")

# -msoft-float: a kernel does not save floating-point registers.
set(barefxt_target_flags "-ffreestanding -fno-pic -mcpu=68040 -msoft-float")
include(${CMAKE_CURRENT_LIST_DIR}/kernel_code.cmake)
set(CMAKE_ASM_FLAGS_INIT "-mcpu=68040")
