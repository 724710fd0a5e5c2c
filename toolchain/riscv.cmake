# Flags of RISC-V kernel code, for both compilers. The files that include this set the width (barefxt_riscv_width) and
# the extensions (barefxt_riscv_architecture).
#
# -mcmodel=medany: the kernel lies above 2 GiB, where addresses are formed from the program counter.
set(BAREFXT_BOARD riscv-virt CACHE STRING "Folder under qemu-tests/board")
set(BAREFXT_PORT riscv CACHE STRING "Folder under port/arch")

if(barefxt_riscv_width EQUAL 64)
  set(barefxt_abi lp64)
else()
  set(barefxt_abi ilp32)
endif()
# The time counter of QEMU's virt machine, see port/arch/riscv.
set(barefxt_counter_flags "-DBAREFXT_RISCV_FREQUENCY=10000000")
set(barefxt_architecture_flags
    "-march=${barefxt_riscv_architecture} -mabi=${barefxt_abi} -mcmodel=medany")
set(barefxt_target_flags "${barefxt_counter_flags} -ffreestanding -fno-pic -mstrict-align ${barefxt_architecture_flags}")
include(${CMAKE_CURRENT_LIST_DIR}/kernel_code.cmake)
set(CMAKE_ASM_FLAGS_INIT "${barefxt_architecture_flags}")
