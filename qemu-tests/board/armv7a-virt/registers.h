/* For the measurements of the workload, in C and C++. */
#ifndef BOARD_REGISTERS_H
#define BOARD_REGISTERS_H

/* The compiler keeps nothing in a register across this. The word on the stack aligns it by 8 bytes
 * along with the 9 registers that are saved: else a function that calls another would do that for
 * the call, and one that does not call would not. */
#define BOARD_FORGET_REGISTERS()                                                                 \
  do {                                                                                           \
    unsigned barefxt_word;                                                                       \
    __asm__ volatile("" : "=m"(barefxt_word));                                                   \
    __asm__ volatile(""                                                                          \
                     :                                                                           \
                     :                                                                           \
                     : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", \
                       "r12", "lr", "cc", "memory");                                             \
  } while (0)

#endif
