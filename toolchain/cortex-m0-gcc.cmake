# Cortex-M0, with GCC.
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m0.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m-gcc.cmake)
