# Arm's MPS2 and MPS3 boards with one Cortex-M or two. Each FPGA image has a folder with its differences, or shares the
# folder of the first of several that are alike but for the core.
set(BAREFXT_MACHINE an385 CACHE STRING "FPGA image, see qemu-tests/board/mps2/board.cmake")
set(board_sources context_switch.S cpus.cpp interrupts.cpp startup.cpp ../thumb_vectors.S ../semihosting.cpp)
set(board_linker_script kernel.ld)
if(BAREFXT_MACHINE STREQUAL an386)
  set(board_machine_dir ${board_dir}/an385)
elseif(BAREFXT_MACHINE STREQUAL an505)
  set(board_machine_dir ${board_dir}/an521)
else()
  set(board_machine_dir ${board_dir}/${BAREFXT_MACHINE})
endif()
