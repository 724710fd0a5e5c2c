# RISC-V of 32 bits.
set(BAREFXT_TARGET rv32 CACHE STRING "Name of the target, as in build/costs.json")
set(barefxt_riscv_width 32)
set(barefxt_riscv_architecture rv32imac_zicsr)
include(${CMAKE_CURRENT_LIST_DIR}/riscv-clang.cmake)
