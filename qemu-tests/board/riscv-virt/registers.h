/* For the measurements of the workload, in C and C++. */
#ifndef BOARD_REGISTERS_H
#define BOARD_REGISTERS_H

/* The compiler keeps nothing in a register across this. */
#define BOARD_FORGET_REGISTERS()                                                                   \
  __asm__ volatile(""                                                                              \
                   :                                                                               \
                   :                                                                               \
                   : "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a0", "a1", "a2", "a3", "a4", \
                     "a5", "a6", "a7", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", \
                     "s10", "s11", "memory")

#endif
