# RISC-V of 32 bits without the A extension: no compare-and-swap, no load-reserved.
set(BAREFXT_TARGET rv32-no-a CACHE STRING "Name of the target, as in build/costs.json")
set(barefxt_riscv_width 32)
set(barefxt_riscv_architecture rv32imc_zicsr)
set(BAREFXT_MAX_CPUS 1 CACHE STRING "See runtime/include/barefxt/config.h")
include(${CMAKE_CURRENT_LIST_DIR}/riscv-clang.cmake)
