/* For the measurements of the workload, in C and C++. */
#ifndef BOARD_REGISTERS_H
#define BOARD_REGISTERS_H

/* The compiler keeps nothing in a register across this. */
#define BOARD_FORGET_REGISTERS()                                                                   \
  __asm__ volatile(""                                                                              \
                   :                                                                               \
                   :                                                                               \
                   : "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "a0", "a1", "a2", "a3", "a4", \
                     "a5", "a6", "cc", "memory")

#endif
