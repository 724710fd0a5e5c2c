# Cortex-M bare metal with Debian's cross GCC. No C library of it is ever linked.
set(CMAKE_SYSTEM_PROCESSOR arm)
set(barefxt_gcc arm-none-eabi)
include(${CMAKE_CURRENT_LIST_DIR}/gcc.cmake)

include(${CMAKE_CURRENT_LIST_DIR}/cortex-m.cmake)
