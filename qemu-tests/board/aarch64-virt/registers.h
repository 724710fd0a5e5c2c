/* For the measurements of the workload, in C and C++. */
#ifndef BOARD_REGISTERS_H
#define BOARD_REGISTERS_H

/* The compiler keeps nothing in a register across this. */
#define BOARD_FORGET_REGISTERS()                                                                  \
  __asm__ volatile(""                                                                             \
                   :                                                                              \
                   :                                                                              \
                   : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",    \
                     "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22", \
                     "x23", "x24", "x25", "x26", "x27", "x28", "x30", "cc", "memory")

#endif
