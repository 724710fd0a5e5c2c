# Cortex-M0, with clang 19.
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m0.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m-clang.cmake)
