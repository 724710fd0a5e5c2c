// Trampolines of sleds on AArch64 (aarch64.h): from an instrumented function to the record of its
// call.
//
// Live registers. At a function's begin, and at its end before a return or a branch to another
// function by name, the procedure call standard leaves x9 to x17 and the flags free: linkers put
// veneers there that use x16 and x17. barefxt_sled works in these. The target of a branch by
// register may be in any of x0 to x17, so barefxt_sled_saving saves those that the other uses. No
// instruction here touches SIMD registers.
//
// barefxt_sled is the undisturbed path of record_call (functions.cpp), step by step the same,
// without a stack frame. Any disturbance (a full segment, another upper half of the time, a swap
// that is lost, a CPU that is another by now) is left to record_call itself, which begins anew:
// nothing has happened until the swap has succeeded, and behind it nothing can fail.
//
// Branches come here by their own offset and leave by RET: no landing pad is needed if branch
// targets are guarded.

#include <barefxt/config.h>

#if BAREFXT_FUNCTIONS && !BAREFXT_DISABLED && defined(__aarch64__)

#include "ring_layout.h"

#if BAREFXT_FAST_PATHS && defined(__AARCH64EL__) && defined(__has_include)
#if __has_include(<barefxt_port_sleds.h>)
#include <barefxt_port_sleds.h>
#ifdef BAREFXT_PORT_SLED_COUNTER
#define HAS_SHORT_PATH
#endif
#endif
#endif

// The bits of a CPU's number.
#if BAREFXT_MAX_CPUS == 2
#define CPU_BITS 1
#elif BAREFXT_MAX_CPUS == 4
#define CPU_BITS 2
#elif BAREFXT_MAX_CPUS == 8
#define CPU_BITS 3
#elif BAREFXT_MAX_CPUS == 16
#define CPU_BITS 4
#elif BAREFXT_MAX_CPUS == 32
#define CPU_BITS 5
#elif BAREFXT_MAX_CPUS == 64
#define CPU_BITS 6
#elif BAREFXT_MAX_CPUS == 128
#define CPU_BITS 7
#elif BAREFXT_MAX_CPUS != 1
#define CPU_BITS 8
#endif

#if defined(CPU_BITS) && defined(BAREFXT_AARCH64_RING_REGISTER)
#define READS_RING
#ifndef BAREFXT_AARCH64_RING_OFFSET
#define BAREFXT_AARCH64_RING_OFFSET 0
#endif
#endif

// Calls C++ with the header and what is in x0, and keeps what is live where a function begins or ends.
  .macro call_and_keep record
  stp x9, x30, [sp, #-96]!
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  str x8, [sp, #80]
  mov x1, x0
  mov x0, x10
  bl \record
  ldr x8, [sp, #80]
  ldp x6, x7, [sp, #64]
  ldp x4, x5, [sp, #48]
  ldp x2, x3, [sp, #32]
  ldp x0, x1, [sp, #16]
  ldp x9, x30, [sp], #96
  .endm

// x9: the function's return address, x10: the call's header without the counter, x11: the page of
// barefxt_enabled_categories, x30: back to the sled. Changes x10 to x17 and the flags.
  .section .text.barefxt_sled, "ax"
  .balign 4
  .global barefxt_sled
  .hidden barefxt_sled
  .type barefxt_sled, %function
barefxt_sled:
  ldr w11, [x11, #:lo12:barefxt_enabled_categories]
  tbz w11, #BAREFXT_FUNCTION_CATEGORY, 9f
#ifdef HAS_SHORT_PATH
#ifdef READS_RING
  mrs x11, BAREFXT_AARCH64_RING_REGISTER
  ldr x13, [x11, #BAREFXT_AARCH64_RING_OFFSET]
#else
  // The ring: all rings together are aligned to their size (ring.h).
  adrp x13, BAREFXT_RINGS
  add x13, x13, #:lo12:BAREFXT_RINGS
#ifdef CPU_BITS
  BAREFXT_PORT_SLED_CPU(x11)
#if BAREFXT_PORT_SLED_CPU_SHIFT != 0
  lsr x12, x11, #BAREFXT_PORT_SLED_CPU_SHIFT
  bfi x13, x12, #BAREFXT_RING_SHIFT, #CPU_BITS
#else
  bfi x13, x11, #BAREFXT_RING_SHIFT, #CPU_BITS
#endif
#endif
#endif
  ldxr x12, [x13]
  add x14, x12, #8
  ldp x15, x17, [x13, #BAREFXT_RING_CALL_BASE]
  // CallBase::serves_segment.
  cmp x15, x14, lsr #BAREFXT_SEGMENT_SHIFT
  b.ne 1f
  // Behind the branch, and so behind the load of the position.
  BAREFXT_PORT_SLED_COUNTER(x16)
  // CallBase::serves_time.
  cmp x17, x16, lsr #(64 - BAREFXT_CALL_COUNTER)
#ifdef CPU_BITS
#ifdef READS_RING
  mrs x15, BAREFXT_AARCH64_RING_REGISTER
#else
  BAREFXT_PORT_SLED_CPU(x15)
#endif
  ccmp x15, x11, #0, eq
#endif
  b.ne 1f
  stxr w17, x14, [x13]
  cbnz w17, 1f
  ldr x13, [x13, #BAREFXT_RING_MEMORY]
  bfi x10, x16, #BAREFXT_CALL_COUNTER, #(64 - BAREFXT_CALL_COUNTER)
  str x10, [x13, w12, uxtw]
  ret
1:
#endif
  call_and_keep barefxt_record_sled
9:
  ret
  .size barefxt_sled, . - barefxt_sled

// The same with the function's first argument, in x0.
  .section .text.barefxt_sled_argument, "ax"
  .balign 4
  .global barefxt_sled_argument
  .hidden barefxt_sled_argument
  .type barefxt_sled_argument, %function
barefxt_sled_argument:
  ldr w11, [x11, #:lo12:barefxt_enabled_categories]
  tbz w11, #BAREFXT_FUNCTION_CATEGORY, 9f
  call_and_keep barefxt_record_sled_argument
9:
  ret
  .size barefxt_sled_argument, . - barefxt_sled_argument

// x10: the header, x30: back to the sled, which keeps both for the function. Changes the flags.
  .section .text.barefxt_sled_saving, "ax"
  .balign 4
  .global barefxt_sled_saving
  .hidden barefxt_sled_saving
  .type barefxt_sled_saving, %function
barefxt_sled_saving:
  stp x9, x30, [sp, #-80]!
  stp x11, x12, [sp, #16]
  stp x13, x14, [sp, #32]
  stp x15, x16, [sp, #48]
  str x17, [sp, #64]
  adrp x11, barefxt_enabled_categories
  bl barefxt_sled
  ldr x17, [sp, #64]
  ldp x15, x16, [sp, #48]
  ldp x13, x14, [sp, #32]
  ldp x11, x12, [sp, #16]
  ldp x9, x30, [sp], #80
  ret
  .size barefxt_sled_saving, . - barefxt_sled_saving

#endif

#include "notes.inc"
