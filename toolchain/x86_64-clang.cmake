# x86-64 bare metal with clang 19 and lld. For x86_64-none-elf clang would call GCC to link.
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(barefxt_triple x86_64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/clang.cmake)

set(barefxt_compiler_flags "-mstack-alignment=8")
include(${CMAKE_CURRENT_LIST_DIR}/x86_64.cmake)
