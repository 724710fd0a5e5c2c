// The trampoline of sleds in A32 code (arm.h): from an instrumented function to the record of its call.

#include <barefxt/config.h>

#if BAREFXT_FUNCTIONS && defined(__arm__) && __ARM_ARCH >= 7 && __ARM_ARCH_ISA_ARM

// r0 and r1: the call's header, lr: back to the sled, which keeps r0 to r2 and lr for the function.
// r2 keeps the flags, which are live ahead of a conditional return. The stack is as the function's
// caller aligned it, sixteen bytes lower.
  .arm
  .section .text.barefxt_sled, "ax"
  .balign 4
  .global barefxt_sled
  .hidden barefxt_sled
  .type barefxt_sled, %function
barefxt_sled:
  mrs r2, apsr
  push {r2, r3, r12, lr}
  bl barefxt_record_sled
  pop {r2, r3, r12, lr}
  msr apsr_nzcvq, r2
  bx lr
  .size barefxt_sled, . - barefxt_sled

#endif

  .section .note.GNU-stack, "", %progbits
