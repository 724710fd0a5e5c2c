# x86-64 bare metal with Debian's GCC for Linux. No C library of it is ever linked.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_C_COMPILER x86_64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER x86_64-linux-gnu-g++)
set(CMAKE_ASM_COMPILER x86_64-linux-gnu-gcc)

set(barefxt_compiler_flags "-mpreferred-stack-boundary=3")
include(${CMAKE_CURRENT_LIST_DIR}/x86_64.cmake)
