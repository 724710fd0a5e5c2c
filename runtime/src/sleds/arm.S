// The trampolines of sleds in A32 code (arm.h): from an instrumented function to the record of its call.

#include <barefxt/config.h>

#if BAREFXT_FUNCTIONS && !BAREFXT_DISABLED && defined(__arm__) && __ARM_ARCH >= 7 && defined(__ARM_ARCH_ISA_ARM)

// r0 and r1: the call's header, lr: back to the sled, which keeps r0 to r2 and lr for the function.
// r2 keeps the flags, which are live ahead of a conditional return. The stack is as the function's
// caller aligned it, sixteen bytes lower.
  .macro trampoline name
  .section .text.\name, "ax"
  .balign 4
  .global \name
  .hidden \name
  .type \name, %function
\name:
  mrs r2, apsr
  push {r2, r3, r12, lr}
  .endm
  .macro back name
  pop {r2, r3, r12, lr}
  msr apsr_nzcvq, r2
  bx lr
  .size \name, . - \name
  .endm

  .arm
  trampoline barefxt_sled
  bl barefxt_record_sled
  back barefxt_sled

// The same with the function's first argument, which the sled has pushed: 32 bits of it.
  trampoline barefxt_sled_argument
  ldr r2, [sp, #16]
  mov r3, #0
  bl barefxt_record_sled_argument
  back barefxt_sled_argument

#endif

#include "notes.inc"
