# QEMU's virt machine with a 68040.
set(board_sources context_switch.S file.cpp instructions.cpp interrupts.cpp machine.cpp startup.S)
set(board_linker_script kernel.ld)
