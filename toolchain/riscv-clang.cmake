# RISC-V bare metal with clang 19 and lld.
set(CMAKE_SYSTEM_PROCESSOR riscv${barefxt_riscv_width})
set(barefxt_triple riscv${barefxt_riscv_width}-none-elf)
include(${CMAKE_CURRENT_LIST_DIR}/clang.cmake)

include(${CMAKE_CURRENT_LIST_DIR}/riscv.cmake)
