# Two Cortex-M33, with clang 19.
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m33-smp.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m-clang.cmake)
