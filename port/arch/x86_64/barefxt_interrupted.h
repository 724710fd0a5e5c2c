/* Registers of the code that an interrupt came to, for barefxt_sample: from the frame that the CPU
 * pushed. */
#ifndef BAREFXT_INTERRUPTED_H
#define BAREFXT_INTERRUPTED_H

#include <barefxt/sample.h>

/* Returns pc, fp and sp of the interrupted code.
 *
 * @param frame The five words that IRETQ takes: rip, cs, rflags, rsp, ss.
 * @param rbp The interrupted value of rbp.
 * @context interrupt
 *
 * Code in ring 3 yields no frame pointer: its stack is not the kernel's to read.
 */
static inline barefxt_interrupted barefxt_interrupted_at(const uint64_t* frame, uintptr_t rbp) {
  barefxt_interrupted at;
  at.pc = frame[0];
  at.fp = (frame[1] & 3) == 0 ? rbp : 0;
  at.sp = frame[3];
  return at;
}

#endif
