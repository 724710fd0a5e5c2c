# AArch64 bare metal with Debian's cross GCC. No C library of it is ever linked.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(barefxt_gcc aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/gcc.cmake)

include(${CMAKE_CURRENT_LIST_DIR}/aarch64.cmake)
