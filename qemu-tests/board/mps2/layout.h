/* Numbers that the assembler and C++ share. */
#ifndef BOARD_LAYOUT_H
#define BOARD_LAYOUT_H

#define BOOT_STACK_BYTES 8192

#define BOARD_INTERRUPTS 96

/* A context switch keeps these of a thread on its stack: r4 to r11, a gap, lr. */
#define SWITCH_FRAME_BYTES 40
#define SWITCH_FRAME_LR 36

/* The CPU's frame of an exception. */
#define EXCEPTION_FRAME_BYTES 32
#define EXCEPTION_FRAME_PC 24
#define EXCEPTION_FRAME_XPSR 28

#endif
