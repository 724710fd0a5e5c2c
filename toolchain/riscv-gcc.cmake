# RISC-V bare metal with Debian's cross GCC, one for both widths, which comes without any library.
set(CMAKE_SYSTEM_PROCESSOR riscv${barefxt_riscv_width})
set(barefxt_gcc riscv64-unknown-elf)
include(${CMAKE_CURRENT_LIST_DIR}/gcc.cmake)

include(${CMAKE_CURRENT_LIST_DIR}/riscv.cmake)
