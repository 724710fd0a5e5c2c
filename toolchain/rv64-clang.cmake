# RISC-V of 64 bits.
set(BAREFXT_TARGET rv64 CACHE STRING "Name of the target, as in build/costs.json")
set(barefxt_riscv_width 64)
set(barefxt_riscv_architecture rv64imac_zicsr)
include(${CMAKE_CURRENT_LIST_DIR}/riscv-clang.cmake)
