// Trampolines of events on AArch64 (aarch64.h), called by the compiler's sleds. To the compiler an
// event changes no register but x30: so all that a call may change is saved, and the flags.

#include <barefxt/config.h>

#if BAREFXT_FUNCTIONS && !BAREFXT_DISABLED && defined(__aarch64__)

#include "ring_layout.h"

#define FRAME 176

  .macro event name, record
  .section .text.\name, "ax"
  .balign 4
  .global \name
  .type \name, %function
\name:
  hint #34  // BTI C: where the call is out of reach, a linker's veneer comes by register
  stp x16, x17, [sp, #-FRAME]!
  adrp x16, barefxt_enabled_categories
  ldr w16, [x16, #:lo12:barefxt_enabled_categories]
  tbz w16, #BAREFXT_FUNCTION_CATEGORY, 9f
  mrs x17, nzcv
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  stp x8, x9, [sp, #80]
  stp x10, x11, [sp, #96]
  stp x12, x13, [sp, #112]
  stp x14, x15, [sp, #128]
  stp x17, x18, [sp, #144]
  str x30, [sp, #160]
  add x0, sp, #16     // the arguments
  add x1, sp, #FRAME  // what the sled has saved
  mov x2, x30
  bl \record
  ldr x30, [sp, #160]
  ldp x17, x18, [sp, #144]
  ldp x14, x15, [sp, #128]
  ldp x12, x13, [sp, #112]
  ldp x10, x11, [sp, #96]
  ldp x8, x9, [sp, #80]
  ldp x6, x7, [sp, #64]
  ldp x4, x5, [sp, #48]
  ldp x2, x3, [sp, #32]
  ldp x0, x1, [sp, #16]
  msr nzcv, x17
9:
  ldp x16, x17, [sp], #FRAME
  ret
  .size \name, . - \name
  .endm

  event __xray_CustomEvent, barefxt_record_custom_event
  event __xray_TypedEvent, barefxt_record_typed_event

#endif

#include "notes.inc"
