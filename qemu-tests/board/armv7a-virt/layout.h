/* Numbers that the assembler and C++ share. */
#ifndef BOARD_LAYOUT_H
#define BOARD_LAYOUT_H

#define BOARD_MAX_CPUS 4
#define BOOT_STACK_BYTES 8192

/* A context switch keeps these of a thread on its stack: r3, for the alignment, to r11, and lr. */
#define SWITCH_FRAME_BYTES 40
#define SWITCH_FRAME_RETURN 36

#endif
