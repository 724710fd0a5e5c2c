/* Numbers that the assembler and C++ share. */
#ifndef BOARD_LAYOUT_H
#define BOARD_LAYOUT_H

/* Also the stack of the idle thread. */
#if defined(KERNEL_SMALL)
#define BOOT_STACK_BYTES 768
#else
#define BOOT_STACK_BYTES 8192
#endif

#define BOARD_INTERRUPTS 32

/* A context switch keeps these of a thread on its stack: r8 to r11, a gap, r4 to r7, lr. */
#define SWITCH_FRAME_BYTES 40
#define SWITCH_FRAME_LR 36

/* The CPU's frame of an exception. */
#define EXCEPTION_FRAME_BYTES 32
#define EXCEPTION_FRAME_PC 24
#define EXCEPTION_FRAME_XPSR 28

#endif
