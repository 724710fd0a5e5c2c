# QEMU's virt machine with up to four AArch64 CPUs.
set(board_sources context_switch.S cpus.cpp interrupts.cpp ../semihosting.cpp startup.S vectors.S)
set(board_linker_script kernel.ld)
