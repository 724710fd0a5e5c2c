# QEMU's virt machine with up to four RISC-V harts, of 32 or 64 bits, in machine mode.
set(board_sources context_switch.S cpus.cpp interrupts.cpp ../semihosting.cpp startup.S trap.S)
set(board_linker_script kernel.ld)
# The numbers of CPUs are not those of harts, see cpus.cpp.
target_compile_definitions(barefxt_runtime PUBLIC BAREFXT_RISCV_CPU_REGISTER="tp")
