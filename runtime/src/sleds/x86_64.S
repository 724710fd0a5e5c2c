// Trampolines of sleds on x86-64 (x86_64.h): from an instrumented function to the record of its
// call.
//
//   barefxt_sled_entry  is called where a function begins, with its number on the stack. No
//                       convention of C keeps anything in r10 and r11 there.
//   barefxt_sled_tail   is called ahead of a jump to another function, whose address may be in any
//                       register.
//   barefxt_sled_exit   is jumped to in the place of a return, with bits 16 to 43 of the call's
//                       header in r10, and returns. Free are the registers that callers save, but
//                       rax and rdx, which hold what the function returns.
//
// They are the undisturbed path of record_call (functions.cpp), step by step the same. Any
// disturbance (a full segment, another upper half of the time, a swap that is lost, a CPU that is
// another by now) is left to record_call itself, which begins anew: nothing has happened until the
// swap has succeeded, and behind it nothing can fail.

#include <barefxt/config.h>

#if BAREFXT_FUNCTIONS && !BAREFXT_DISABLED && defined(__x86_64__)

#include "ring_layout.h"

#if BAREFXT_FAST_PATHS && defined(__has_include)
#if __has_include(<barefxt_port_sleds.h>)
#include <barefxt_port_sleds.h>
#ifdef BAREFXT_PORT_SLED_CPU
#define HAS_SHORT_PATH
#endif
#endif
#endif

#define NUMBER_SHIFT 8  // what is pushed is the number, and below it a byte of 9
#define PUSHED_BELOW 9

  .macro return_if_off
  testl $(1 << BAREFXT_FUNCTION_CATEGORY), barefxt_enabled_categories(%rip)
  jz 9f
  .endm

#ifdef HAS_SHORT_PATH
#if BAREFXT_MAX_CPUS > 1 && defined(BAREFXT_X86_64_RING_OFFSET)
#define READS_RING
#define OWN_RING %gs:BAREFXT_X86_64_RING_OFFSET
#endif

// In r11 is the ring's distance from the first, or its address if that is no constant.
#if defined(__PIC__) || defined(READS_RING)
#define RING(field) field(%r11)
#else
#define RING(field) BAREFXT_RINGS + field(%r11)
#endif

// The ring comes into r11, the position that follows into `next`, and the low half of the time into
// rax; or to 1. Changes rcx and rdx.
  .macro begin_to_reserve next
#if defined(READS_RING)
  movq OWN_RING, %r11
#elif BAREFXT_MAX_CPUS > 1
  imull $(1 << BAREFXT_RING_SHIFT), BAREFXT_PORT_SLED_CPU, %r11d
  andl $((BAREFXT_MAX_CPUS - 1) << BAREFXT_RING_SHIFT), %r11d
#else
  xorl %r11d, %r11d
#endif
#if defined(__PIC__) && !defined(READS_RING)
  leaq BAREFXT_RINGS(%rip), %rcx
  addq %rcx, %r11
#endif
  movq RING(BAREFXT_RING_POSITION), \next
  addq $8, \next
  // CallBase::serves_segment.
  movq \next, %rcx
  shrq $BAREFXT_SEGMENT_SHIFT, %rcx
  cmpq RING(BAREFXT_RING_CALL_BASE), %rcx
  jne 1f
  BAREFXT_PORT_SLED_COUNTER
  // CallBase::serves_time, but for the uppermost bits, which stay the same for longer than a segment
  // is open.
  shldl $(32 - (64 - BAREFXT_CALL_COUNTER)), %eax, %edx
  cmpl RING(BAREFXT_RING_CALL_BASE_TIME), %edx
  jne 1f
#if defined(READS_RING)
  cmpq OWN_RING, %r11
  jne 1f
#elif BAREFXT_MAX_CPUS > 1
  movl RING(BAREFXT_RING_CPU), %ecx
  cmpl BAREFXT_PORT_SLED_CPU, %ecx
  jne 1f
#endif
  .endm

// The swap, or to `lost`. Behind it the record's place is in rdx and rax.
  .macro reserve next, lost=1f
  leaq -8(\next), %rax
  lock cmpxchgq \next, RING(BAREFXT_RING_POSITION)
  jne \lost
  movq RING(BAREFXT_RING_MEMORY), %rdx
  movl %eax, %eax
  .endm
#endif

// Calls C++ with the header in r10 and what is in rdi, and all saved that a call may change, on a
// stack that is aligned as calls want it.
  .macro slow_path name, record
  .section .text.barefxt_\name, "ax"
  .type \name, @function
\name:
  pushq %rbp
  movq %rsp, %rbp
  pushq %rax
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  andq $-16, %rsp
  movq %rdi, %rsi
  movq %r10, %rdi
  call \record
  leaq -56(%rbp), %rsp
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  popq %rax
  popq %rbp
  ret
  .size \name, . - \name
  .endm

  slow_path sled_slow, barefxt_record_sled
  slow_path sled_argument_slow, barefxt_record_sled_argument

// `pushed`: bytes of the stack above what was pushed by the sled, `low`: the header's lowest 20 bits.
// Changes r10 and r11.
  .macro record_pushed pushed, low
  pushq %rax
  pushq %rcx
  pushq %rdx
#ifdef HAS_SHORT_PATH
  begin_to_reserve %r10
  movq 24 + \pushed(%rsp), %rcx
  shlq $(64 - 24 - NUMBER_SHIFT), %rcx
  shrdq $(64 - BAREFXT_CALL_COUNTER), %rax, %rcx  // the counter's low bits come in at the top
  reserve %r10
  xorq $(\low ^ (PUSHED_BELOW << (BAREFXT_CALL_FUNCTION - NUMBER_SHIFT))), %rcx
  movq %rcx, (%rdx, %rax)
#else
  jmp 1f
#endif
2:
  popq %rdx
  popq %rcx
  popq %rax
  .endm
  .macro record_pushed_slowly pushed, low
1:
  movl 24 + \pushed(%rsp), %r10d
  shrl $NUMBER_SHIFT, %r10d
  shlq $BAREFXT_CALL_FUNCTION, %r10
  orq $\low, %r10
  call sled_slow
  jmp 2b
  .endm

  .section .text.barefxt_sled_entry, "ax"
  .global barefxt_sled_entry
  .hidden barefxt_sled_entry
  .type barefxt_sled_entry, @function
barefxt_sled_entry:
  return_if_off
  record_pushed 8, BAREFXT_CALL_LOWEST_20
9:
  ret $8
  record_pushed_slowly 8, BAREFXT_CALL_LOWEST_20
  .size barefxt_sled_entry, . - barefxt_sled_entry

#define ARGUMENT_LOWEST_20 \
  (BAREFXT_CALL_LOWEST_20 | (BAREFXT_CALL_WITH_ARGUMENT << BAREFXT_CALL_ACTION))

// As barefxt_sled_entry, with the function's first argument in rdi.
  .section .text.barefxt_sled_argument, "ax"
  .global barefxt_sled_argument
  .hidden barefxt_sled_argument
  .type barefxt_sled_argument, @function
barefxt_sled_argument:
  return_if_off
  movl 8(%rsp), %r10d
  shrl $NUMBER_SHIFT, %r10d
  shlq $BAREFXT_CALL_FUNCTION, %r10
  orq $ARGUMENT_LOWEST_20, %r10
  call sled_argument_slow
9:
  ret $8
  .size barefxt_sled_argument, . - barefxt_sled_argument

#define TAIL_EXIT_LOWEST_20 (BAREFXT_CALL_LOWEST_20 | (BAREFXT_CALL_TAIL_EXIT << BAREFXT_CALL_ACTION))

  .section .text.barefxt_sled_tail, "ax"
  .global barefxt_sled_tail
  .hidden barefxt_sled_tail
  .type barefxt_sled_tail, @function
barefxt_sled_tail:
  return_if_off
  pushq %r10
  pushq %r11
  record_pushed 24, TAIL_EXIT_LOWEST_20
  popq %r11
  popq %r10
9:
  ret $8
  record_pushed_slowly 24, TAIL_EXIT_LOWEST_20
  .size barefxt_sled_tail, . - barefxt_sled_tail

  .section .text.barefxt_sled_exit, "ax"
  .global barefxt_sled_exit
  .hidden barefxt_sled_exit
  .type barefxt_sled_exit, @function
barefxt_sled_exit:
  return_if_off
  movq %rax, %r8
  movq %rdx, %r9
#ifdef HAS_SHORT_PATH
  begin_to_reserve %rsi
  shlq $(64 - 28), %r10
  shrdq $(64 - BAREFXT_CALL_COUNTER), %rax, %r10  // the counter's low bits come in at the top
  reserve %rsi, 3f
  orq $BAREFXT_CALL_LOW, %r10
  movq %r10, (%rdx, %rax)
#else
  jmp 1f
#endif
2:
  movq %r9, %rdx
  movq %r8, %rax
9:
  ret
3:
  shlq $(64 - BAREFXT_CALL_COUNTER), %r10
  shrq $(64 - 28), %r10
1:
  shlq $16, %r10
  orq $BAREFXT_CALL_LOW, %r10
  call sled_slow
  jmp 2b
  .size barefxt_sled_exit, . - barefxt_sled_exit

#endif

#include "notes.inc"
