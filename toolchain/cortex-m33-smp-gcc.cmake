# Two Cortex-M33, with GCC.
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m33-smp.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m-gcc.cmake)
