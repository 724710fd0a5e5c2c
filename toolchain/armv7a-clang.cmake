# ARMv7-A bare metal with clang 19 and lld.
set(CMAKE_SYSTEM_PROCESSOR arm)
set(barefxt_triple arm-none-eabi)
include(${CMAKE_CURRENT_LIST_DIR}/clang.cmake)

set(barefxt_compiler_flags "-mno-movt")
include(${CMAKE_CURRENT_LIST_DIR}/armv7a.cmake)
