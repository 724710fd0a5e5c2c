/* Numbers that the assembler and C++ share. */
#ifndef BOARD_LAYOUT_H
#define BOARD_LAYOUT_H

#define BOOT_STACK_BYTES 8192

/* A context switch keeps these of a thread on its stack: eleven registers, and where to go on. */
#define SWITCH_FRAME_BYTES 48
#define SWITCH_FRAME_RETURN 44

/* The frame of an interrupt, behind 15 registers: the status, the address, the vector's offset. */
#define INTERRUPT_FRAME_ADDRESS 62
#define INTERRUPT_FRAME_VECTOR 66

/* The interrupt controller N is on the CPU's level N, which has this vector. */
#define VECTOR_OF_LEVEL_0 24

#endif
