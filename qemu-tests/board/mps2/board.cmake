# Arm's MPS2 and MPS3 boards with a Cortex-M, one CPU. What differs between their FPGA images is in the
# folder named after the image.
set(BAREFXT_MACHINE an385 CACHE STRING "Folder under qemu-tests/board/mps2")
set(board_sources context_switch.S interrupts.cpp startup.cpp vectors.S ../semihosting.cpp)
set(board_linker_script kernel.ld)
set(board_machine_dir ${board_dir}/${BAREFXT_MACHINE})
