# The BBC micro:bit, with Nordic's nRF51 (Cortex-M0).
set(board_sources context_switch.S interrupts.cpp startup.cpp ../thumb_vectors.S ../semihosting.cpp)
set(board_linker_script kernel.ld)
# As much RAM as toolchain/targets.txt gives the machine for it.
set(board_roomy_options -Wl,--defsym=BOARD_RAM_BYTES=0x1000000)
