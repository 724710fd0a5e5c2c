/* For the measurements of the workload, in C and C++. */
#ifndef BOARD_REGISTERS_H
#define BOARD_REGISTERS_H

/* The compiler keeps nothing in a register across this. */
#define BOARD_FORGET_REGISTERS()                                                                \
  __asm__ volatile(""                                                                           \
                   :                                                                            \
                   :                                                                            \
                   : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "r8", "r9", "r10", "r11", \
                     "r12", "r13", "r14", "r15", "cc", "memory")

#endif
