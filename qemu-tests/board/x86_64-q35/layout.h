/* Numbers that the assembler and C++ share. */
#ifndef BOARD_LAYOUT_H
#define BOARD_LAYOUT_H

#define BOARD_MAX_CPUS 4
#define BOOT_STACK_BYTES 8192

/* Selectors in the table of segments. */
#define SELECTOR_CODE64 0x08
#define SELECTOR_DATA 0x10
#define SELECTOR_CODE32 0x18

/* A context switch keeps these of a thread on its stack: six registers, and where to go on. */
#define SWITCH_FRAME_BYTES 64
#define SWITCH_FRAME_RETURN 48

/* A CPU's own block, behind GS. The port's number comes first. */
#define CPU_BLOCK_BYTES 64
#define CPU_NUMBER 0
#define CPU_VECTOR 4
#define CPU_INTERRUPTED 8
#define CPU_KERNELS 16
#define CPU_RING 24

/* The other CPUs begin here, in real mode: a page below 1 MiB. The start message has its number. */
#define TRAMPOLINE_ADDRESS 0x8000

#define VECTOR_NMI 2
#define VECTOR_TIMER 0x40
#define VECTOR_RESCHEDULE 0x41
#define VECTOR_PARK 0x42
#define VECTOR_SPURIOUS 0xff

#endif
