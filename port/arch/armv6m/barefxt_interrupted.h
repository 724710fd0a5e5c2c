/* Registers of the code that an exception came to, for barefxt_sample: from the frame that the CPU
 * stored. */
#ifndef BAREFXT_INTERRUPTED_H
#define BAREFXT_INTERRUPTED_H

#include <barefxt/sample.h>

/* Returns pc, fp and sp of the interrupted code.
 *
 * @param exc_return EXC_RETURN: the value of LR at the handler's first instruction.
 * @param msp MSP there, before the handler pushed anything.
 * @param psp PSP there.
 * @param r7 The interrupted value of r7, which code with frame pointers has them in.
 * @context exception
 *
 * EXC_RETURN names the stack on which the frame lies, and whether it has floating-point registers.
 */
static inline barefxt_interrupted barefxt_interrupted_at(uint32_t exc_return, uintptr_t msp,
                                                         uintptr_t psp, uintptr_t r7) {
  const uint32_t kProcessStack = 1u << 2;
  const uint32_t kBasicFrame = 1u << 4;
  const uint32_t kPadded = 1u << 9; /* of xPSR: a word lies between the frame and the stack */
  const uint32_t* const frame = (const uint32_t*)((exc_return & kProcessStack) != 0 ? psp : msp);
  const uint32_t words = (exc_return & kBasicFrame) != 0 ? 8 : 26;
  barefxt_interrupted at;
  at.pc = frame[6];
  at.fp = r7;
  at.sp = (uintptr_t)(frame + words + ((frame[7] & kPadded) != 0 ? 1 : 0));
  return at;
}

/* Returns pc of the thread that this handler interrupted, for kernels whose threads run on PSP.
 *
 * @context exception
 *
 * In a handler that interrupted another one: of the thread
 * which that one interrupted.
 */
#define BAREFXT_PORT_INTERRUPTED_THREAD 1
static inline barefxt_interrupted barefxt_interrupted_thread(void) {
  const uint32_t kThreadOnPsp = 0xfffffffd;
  uintptr_t psp;
  __asm__ volatile("mrs %0, psp" : "=r"(psp));
  barefxt_interrupted at = barefxt_interrupted_at(kThreadOnPsp, 0, psp, 0);
  at.sp = 0; /* unknown: the frame may have floating-point registers */
  return at;
}

#endif
