# m68k bare metal with Debian's cross GCC for Linux, and code for the 68040. No C library of it is ever
# linked. No clang: its m68k is not fit for use.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR m68k)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_C_COMPILER m68k-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER m68k-linux-gnu-g++)
set(CMAKE_ASM_COMPILER m68k-linux-gnu-gcc)

set(BAREFXT_TARGET m68k CACHE STRING "Name of the target, as in build/costs.json")
set(BAREFXT_PORT m68k CACHE STRING "Folder under port/arch")
set(BAREFXT_BOARD m68k-virt CACHE STRING "Folder under qemu-tests/board")
set(BAREFXT_MAX_CPUS 1 CACHE STRING "")

# -msoft-float: a kernel does not save floating-point registers.
set(barefxt_target_flags "-ffreestanding -fno-pic -mcpu=68040 -msoft-float")
set(CMAKE_C_FLAGS_INIT "${barefxt_target_flags}")
set(CMAKE_CXX_FLAGS_INIT "${barefxt_target_flags} -fno-exceptions -fno-rtti -fno-threadsafe-statics -nostdinc++")
set(CMAKE_ASM_FLAGS_INIT "-mcpu=68040")

# The level that costs are measured at.
set(CMAKE_C_FLAGS_RELEASE "-O2" CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE "-O2" CACHE STRING "")
