# Cortex-M33, with GCC.
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m33.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m-gcc.cmake)
