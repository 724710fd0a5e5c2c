# QEMU's q35 machine with up to four x86-64 CPUs.
set(board_sources context_switch.S cpus.cpp descriptors.cpp host.cpp instructions.cpp interrupts.cpp startup.S vectors.S)
set(board_linker_script kernel.ld)
