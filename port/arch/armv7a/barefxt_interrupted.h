/* Registers of the code that an interrupt came to, for barefxt_sample: from what SRS stored. */
#ifndef BAREFXT_INTERRUPTED_H
#define BAREFXT_INTERRUPTED_H

#include <barefxt/sample.h>

/* Returns pc, fp and sp of the interrupted code.
 *
 * @param stored The two words that SRSDB stored, on the stack of the mode that was interrupted,
 *   behind "sub lr, lr, #4": return address and CPSR.
 * @param r11 The interrupted value of r11.
 * @context interrupt
 *
 * Thumb code yields no frame pointer. User mode yields neither that nor a stack pointer: its
 * registers are banked.
 */
static inline barefxt_interrupted barefxt_interrupted_at(const uint32_t* stored, uintptr_t r11) {
  const uint32_t kThumb = 1u << 5;
  const uint32_t kMode = 0x1f;
  const uint32_t kUser = 0x10;
  barefxt_interrupted at;
  at.pc = stored[0];
  at.fp = (stored[1] & kThumb) != 0 ? 0 : r11;
  at.sp = (uintptr_t)(stored + 2);
  if ((stored[1] & kMode) == kUser) {
    at.fp = 0;
    at.sp = 0;
  }
  return at;
}

#endif
