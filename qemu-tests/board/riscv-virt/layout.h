/* Numbers that the assembler and C++ share. */
#ifndef BOARD_LAYOUT_H
#define BOARD_LAYOUT_H

/* Without the A extension nothing but one CPU's masked interrupts makes an update atomic. */
#if defined(__riscv_atomic)
#define BOARD_MAX_CPUS 4
#else
#define BOARD_MAX_CPUS 1
#endif
#define BOOT_STACK_BYTES 8192

#define BOARD_CLINT 0x02000000 /* a word for each hart: its software interrupt */

/* Plain numbers: assemblers differ in what they take parentheses for. */
#if __riscv_xlen == 64
#define REGISTER_BYTES 8
#define SWITCH_FRAME_BYTES 128
#else
#define REGISTER_BYTES 4
#define SWITCH_FRAME_BYTES 64
#endif

/* Offset of ra in the frame that a context switch keeps on a thread's stack. */
#define SWITCH_FRAME_RA 0

#endif
