// Trampolines of sleds on x86-64 (x86_64.h): from an instrumented function to the record of its
// call.
//
//   barefxt_sled_entry  is called where a function begins, with its number on the stack. No
//                       convention of C keeps anything in r10 and r11 there.
//   barefxt_sled_tail   is called ahead of a jump to another function, whose address may be in any
//                       register.
//   barefxt_sled_exit   is jumped to in the place of a return, with bits 16 to 43 of the call's
//                       header in rdi, and returns. Free are the registers that callers save, but
//                       rax and rdx, which hold what the function returns.
//
// Sleds come here by barefxt_sled_targets. While calls are not recorded that leads to
// barefxt_sled_off and barefxt_sled_exit_off instead, so nothing here asks for the category.
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

// Begins what a sled leads to. Where compilers mark targets of indirect branches (IBT), it is one.
  .macro target name
  .section .text.\name, "ax"
  .global \name
  .hidden \name
  .type \name, @function
\name:
#if defined(__CET__) && (__CET__ & 1)
  endbr64
#endif
  .endm

  target barefxt_sled_off
  ret $8
  .size barefxt_sled_off, . - barefxt_sled_off

  target barefxt_sled_exit_off
  ret
  .size barefxt_sled_exit_off, . - barefxt_sled_exit_off

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

// The ring comes into r11, and the position that follows into `next`; or to 1. Changes rdx. Then the
// counter is read.
  .macro find_place next
#if defined(READS_RING)
  movq OWN_RING, %r11
#elif BAREFXT_MAX_CPUS > 1
  imull $(1 << BAREFXT_RING_SHIFT), BAREFXT_PORT_SLED_CPU, %r11d
  andl $((BAREFXT_MAX_CPUS - 1) << BAREFXT_RING_SHIFT), %r11d
#else
  xorl %r11d, %r11d
#endif
#if defined(__PIC__) && !defined(READS_RING)
  leaq BAREFXT_RINGS(%rip), %rdx
  addq %rdx, %r11
#endif
  movq RING(BAREFXT_RING_POSITION), \next
  addq $8, \next
  // CallBase::serves_segment.
  movq \next, %rdx
  shrq $BAREFXT_SEGMENT_SHIFT, %rdx
  cmpq RING(BAREFXT_RING_CALL_BASE), %rdx
  jne 1f
  .endm

// The counter is that of this CPU, and near enough; or to 1. Changes rdx.
  .macro check_counter
  // CallBase::serves_time, but for the uppermost bits, which stay the same for longer than a segment
  // is open.
  shldl $(32 - (64 - BAREFXT_CALL_COUNTER)), %eax, %edx
  cmpl RING(BAREFXT_RING_CALL_BASE_TIME), %edx
  jne 1f
#if defined(READS_RING)
  cmpq OWN_RING, %r11
  jne 1f
#elif BAREFXT_MAX_CPUS > 1
  movl RING(BAREFXT_RING_CPU), %edx
  cmpl BAREFXT_PORT_SLED_CPU, %edx
  jne 1f
#endif
  .endm

// The swap, or to `lost`. Behind it the record's place is in rax.
  .macro reserve next, lost=1f
  leaq -8(\next), %rax
  lock cmpxchgq \next, RING(BAREFXT_RING_POSITION)
  jne \lost
  movl %eax, %eax
  addq RING(BAREFXT_RING_MEMORY), %rax
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

// The counter, where rcx is in use. Bytes of what is saved with it.
#ifdef BAREFXT_PORT_SLED_COUNTER_KEEPING_RCX
#define READ_COUNTER BAREFXT_PORT_SLED_COUNTER_KEEPING_RCX
#define SAVED 16
#elif defined(HAS_SHORT_PATH)
#define READ_COUNTER BAREFXT_PORT_SLED_COUNTER
#define SAVED 24
#else
#define SAVED 16
#endif

// `pushed`: bytes of the stack above what was pushed by the sled, `low`: the header's lowest 20 bits.
// Changes r10 and r11.
  .macro record_pushed pushed, low
  pushq %rax
  pushq %rdx
#if SAVED == 24
  pushq %rcx
#endif
#ifdef HAS_SHORT_PATH
  find_place %r10
  READ_COUNTER
  check_counter
  movq SAVED + \pushed(%rsp), %rdx
  shlq $(64 - 24 - NUMBER_SHIFT), %rdx
  shrdq $(64 - BAREFXT_CALL_COUNTER), %rax, %rdx  // the counter's low bits come in at the top
  reserve %r10
  xorq $(\low ^ (PUSHED_BELOW << (BAREFXT_CALL_FUNCTION - NUMBER_SHIFT))), %rdx
  movq %rdx, (%rax)
#else
  jmp 1f
#endif
2:
#if SAVED == 24
  popq %rcx
#endif
  popq %rdx
  popq %rax
  .endm
  .macro record_pushed_slowly pushed, low
1:
  movl SAVED + \pushed(%rsp), %r10d
  shrl $NUMBER_SHIFT, %r10d
  shlq $BAREFXT_CALL_FUNCTION, %r10
  orq $\low, %r10
  call sled_slow
  jmp 2b
  .endm

  target barefxt_sled_entry
  record_pushed 8, BAREFXT_CALL_LOWEST_20
  ret $8
  record_pushed_slowly 8, BAREFXT_CALL_LOWEST_20
  .size barefxt_sled_entry, . - barefxt_sled_entry

#define ARGUMENT_LOWEST_20 \
  (BAREFXT_CALL_LOWEST_20 | (BAREFXT_CALL_WITH_ARGUMENT << BAREFXT_CALL_ACTION))

// As barefxt_sled_entry, with the function's first argument in rdi.
  target barefxt_sled_argument
  movl 8(%rsp), %r10d
  shrl $NUMBER_SHIFT, %r10d
  shlq $BAREFXT_CALL_FUNCTION, %r10
  orq $ARGUMENT_LOWEST_20, %r10
  call sled_argument_slow
  ret $8
  .size barefxt_sled_argument, . - barefxt_sled_argument

#define TAIL_EXIT_LOWEST_20 (BAREFXT_CALL_LOWEST_20 | (BAREFXT_CALL_TAIL_EXIT << BAREFXT_CALL_ACTION))

  target barefxt_sled_tail
  pushq %r10
  pushq %r11
  record_pushed 24, TAIL_EXIT_LOWEST_20
  popq %r11
  popq %r10
  ret $8
  record_pushed_slowly 24, TAIL_EXIT_LOWEST_20
  .size barefxt_sled_tail, . - barefxt_sled_tail

  target barefxt_sled_exit
  movq %rax, %r8
  movq %rdx, %r9
#ifdef HAS_SHORT_PATH
  find_place %rsi
  BAREFXT_PORT_SLED_COUNTER
  check_counter
  shlq $(64 - 28), %rdi
  shrdq $(64 - BAREFXT_CALL_COUNTER), %rax, %rdi  // the counter's low bits come in at the top
  reserve %rsi, 3f
  orq $BAREFXT_CALL_LOW, %rdi
  movq %rdi, (%rax)
#else
  jmp 1f
#endif
2:
  movq %r9, %rdx
  movq %r8, %rax
  ret
3:
  shlq $(64 - BAREFXT_CALL_COUNTER), %rdi
  shrq $(64 - 28), %rdi
1:
  shlq $16, %rdi
  orq $BAREFXT_CALL_LOW, %rdi
  movq %rdi, %r10
  call sled_slow
  jmp 2b
  .size barefxt_sled_exit, . - barefxt_sled_exit

#endif

#include "notes.inc"
