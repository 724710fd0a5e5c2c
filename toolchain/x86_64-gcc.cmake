# x86-64 bare metal with Debian's GCC for Linux. No C library of it is ever linked.
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(barefxt_gcc x86_64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/gcc.cmake)

set(barefxt_compiler_flags "-mpreferred-stack-boundary=3")
include(${CMAKE_CURRENT_LIST_DIR}/x86_64.cmake)
