/* For the measurements of the workload, in C and C++. */
#ifndef BOARD_REGISTERS_H
#define BOARD_REGISTERS_H

/* The compiler keeps nothing in a register across this. */
#define BOARD_FORGET_REGISTERS()                                                               \
  __asm__ volatile(""                                                                          \
                   :                                                                           \
                   :                                                                           \
                   : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", \
                     "r12", "lr", "cc", "memory")

#endif
