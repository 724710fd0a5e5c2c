# QEMU's virt machine with up to four CPUs of ARMv7-A.
set(board_sources context_switch.S startup.S vectors.S ../arm-virt/cpus.cpp ../arm-virt/interrupts.cpp ../semihosting.cpp)
set(board_linker_script ../arm-virt/kernel.ld)
