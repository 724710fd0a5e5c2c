/* Registers of the code that an interrupt at EL1 came to, for barefxt_sample. */
#ifndef BAREFXT_INTERRUPTED_H
#define BAREFXT_INTERRUPTED_H

#include <barefxt/sample.h>

/* Returns pc, fp and sp of the interrupted code.
 *
 * @param x29 The interrupted value of x29, which the vector's code has saved.
 * @param sp The stack pointer before that code saved anything on the stack.
 * @context interrupt at EL1, before ELR_EL1 and SPSR_EL1 change
 *
 * Code at EL0 yields pc and stack pointer, and no frame pointer: its stack is not the kernel's to
 * read.
 */
static inline barefxt_interrupted barefxt_interrupted_at(uintptr_t x29, uintptr_t sp) {
  barefxt_interrupted at;
  uint64_t pc;
  uint64_t spsr;
  __asm__ volatile("mrs %0, elr_el1" : "=r"(pc));
  __asm__ volatile("mrs %0, spsr_el1" : "=r"(spsr));
  at.pc = pc;
  at.fp = x29;
  at.sp = sp;
  if ((spsr & 0xf) == 0) {
    uint64_t user_sp;
    __asm__ volatile("mrs %0, sp_el0" : "=r"(user_sp));
    at.fp = 0;
    at.sp = user_sp;
  }
  return at;
}

/* Returns pc of what the interrupt came to, alone, where x29 and sp of that are not at hand.
 *
 * @context interrupt at EL1, before ELR_EL1 changes
 */
#define BAREFXT_PORT_INTERRUPTED_THREAD 1
static inline barefxt_interrupted barefxt_interrupted_thread(void) {
  return barefxt_interrupted_at(0, 0);
}

#endif
