# AArch64 bare metal with clang 19 and lld.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
if(NOT DEFINED barefxt_triple)
  set(barefxt_triple aarch64-none-elf)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/clang.cmake)

include(${CMAKE_CURRENT_LIST_DIR}/aarch64.cmake)
