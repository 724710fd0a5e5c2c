# ARMv7-A bare metal with Debian's cross GCC. No C library of it is ever linked.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)

set(barefxt_compiler_flags "-mgeneral-regs-only -mword-relocations")
include(${CMAKE_CURRENT_LIST_DIR}/armv7a.cmake)
