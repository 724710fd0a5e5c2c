/* Registers of the code that an interrupt came to, for barefxt_sample: from the frame that the CPU
 * pushed. */
#ifndef BAREFXT_INTERRUPTED_H
#define BAREFXT_INTERRUPTED_H

#include <barefxt/sample.h>

/* Returns pc, fp and sp of the interrupted code.
 *
 * @param frame The four halfwords of the frame that an interrupt pushes (format 0): SR, the address
 *   in two, format and vector.
 * @param a6 The interrupted value of a6.
 * @context interrupt that was taken on the interrupted stack
 *
 * Code in user mode yields neither frame pointer nor stack pointer: those belong to USP's stack.
 */
static inline barefxt_interrupted barefxt_interrupted_at(const uint16_t* frame, uintptr_t a6) {
  const uint16_t kSupervisor = 0x2000;
  barefxt_interrupted at;
  at.pc = (uintptr_t)frame[1] << 16 | frame[2];
  at.fp = (frame[0] & kSupervisor) != 0 ? a6 : 0;
  at.sp = (frame[0] & kSupervisor) != 0 ? (uintptr_t)(frame + 4) : 0;
  return at;
}

#endif
