// Trampolines of sleds on x86-64 (x86_64.h): from an instrumented function to the record of its call.
//
// Each comes with bits 16 to 43 of the call's header in r10, which the sled has overwritten: no
// convention of C keeps anything there where a function begins or ends.
//   barefxt_sled_entry  is called where a function begins. r11 is free as well.
//   barefxt_sled_exit   is jumped to in the place of a return, and returns. But rax and rdx, which
//                       hold what the function returns, the registers that callers save are free.
//   barefxt_sled_tail   is called ahead of a jump to another function, whose address may be in r11.
//
// They are the undisturbed path of record_call (functions.cpp), step by step the same. Whatever is
// not as it should be (a full segment, another upper half of the time, a swap that is lost, a CPU
// that is another by now) is left to record_call itself, which begins anew: nothing has happened
// until the swap has succeeded, and behind it nothing can fail.

#include <barefxt/config.h>

#if BAREFXT_FUNCTIONS && defined(__x86_64__)

#include "ring_layout.h"

#if BAREFXT_FAST_PATHS && defined(__has_include)
#if __has_include(<barefxt_port_sleds.h>)
#include <barefxt_port_sleds.h>
#define HAS_SHORT_PATH
#endif
#endif

// Goes on where nothing is to be recorded, or all is.
  .macro return_if_off
  testl $(1 << BAREFXT_FUNCTION_CATEGORY), barefxt_enabled_categories(%rip)
  jz 9f
  .endm

// The short path: records, or goes to 1. Changes rax, rcx, rdx, rsi, r11, and r10, but not on the way
// to 1.
  .macro record
#ifdef HAS_SHORT_PATH
#if BAREFXT_MAX_CPUS > 1
  imull $(1 << BAREFXT_RING_SHIFT), BAREFXT_PORT_SLED_CPU, %r11d
  andl $((BAREFXT_MAX_CPUS - 1) << BAREFXT_RING_SHIFT), %r11d
#else
  xorl %r11d, %r11d
#endif
  movq BAREFXT_RINGS + BAREFXT_RING_POSITION(%r11), %rsi
  addq $8, %rsi
  testl $BAREFXT_CALL_FITS, %esi
  jz 1f
  BAREFXT_PORT_SLED_COUNTER
  // CallBase::serves: the position's upper half, which is that of the next one, too, as long as that
  // fits; and above it the upper bits of the time.
  shldl $(32 - (64 - BAREFXT_CALL_COUNTER)), %eax, %edx
  movq %rsi, %rcx
  shrdq $32, %rdx, %rcx
  cmpq BAREFXT_RINGS + BAREFXT_RING_CALL_BASE(%r11), %rcx
  jne 1f
#if BAREFXT_MAX_CPUS > 1
  movl BAREFXT_RINGS + BAREFXT_RING_CPU(%r11), %ecx
  cmpl BAREFXT_PORT_SLED_CPU, %ecx
  jne 1f
#endif
  // The counter's low bits come in at the top of the header.
  shlq $(64 - 28), %r10
  shrdq $(64 - BAREFXT_CALL_COUNTER), %rax, %r10
  leaq -8(%rsi), %rax
  lock cmpxchgq %rsi, BAREFXT_RINGS + BAREFXT_RING_POSITION(%r11)
  jne 3f
  orq $BAREFXT_CALL_LOW, %r10
  movq BAREFXT_RINGS + BAREFXT_RING_MEMORY(%r11), %rdx
  movl %eax, %eax
  movq %r10, (%rdx, %rax)
#else
  jmp 1f
#endif
  .endm

// Where a swap was lost, and otherwise.
  .macro record_slowly
3:
  shlq $(64 - BAREFXT_CALL_COUNTER), %r10
  shrq $(64 - 28), %r10
1:
  call sled_slow
  jmp 2b
  .endm

// What is not recorded by the short path, with all that a call may change saved, on a stack that is
// aligned as calls want it.
  .section .text.barefxt_sled_slow, "ax"
  .type sled_slow, @function
sled_slow:
  pushq %rbp
  movq %rsp, %rbp
  pushq %rax
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  pushq %r11
  andq $-16, %rsp
  movq %r10, %rdi
  shlq $16, %rdi
  orq $BAREFXT_CALL_LOW, %rdi
  call barefxt_record_sled
  leaq -64(%rbp), %rsp
  popq %r11
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  popq %rax
  popq %rbp
  ret
  .size sled_slow, . - sled_slow

  .section .text.barefxt_sled_entry, "ax"
  .global barefxt_sled_entry
  .hidden barefxt_sled_entry
  .type barefxt_sled_entry, @function
barefxt_sled_entry:
  return_if_off
  pushq %rax
  pushq %rcx
  pushq %rdx
  pushq %rsi
  record
2:
  popq %rsi
  popq %rdx
  popq %rcx
  popq %rax
9:
  ret
  record_slowly
  .size barefxt_sled_entry, . - barefxt_sled_entry

  .section .text.barefxt_sled_exit, "ax"
  .global barefxt_sled_exit
  .hidden barefxt_sled_exit
  .type barefxt_sled_exit, @function
barefxt_sled_exit:
  return_if_off
  movq %rax, %r8
  movq %rdx, %r9
  record
2:
  movq %r9, %rdx
  movq %r8, %rax
9:
  ret
  record_slowly
  .size barefxt_sled_exit, . - barefxt_sled_exit

  .section .text.barefxt_sled_tail, "ax"
  .global barefxt_sled_tail
  .hidden barefxt_sled_tail
  .type barefxt_sled_tail, @function
barefxt_sled_tail:
  pushq %r11
  call barefxt_sled_entry
  popq %r11
  ret
  .size barefxt_sled_tail, . - barefxt_sled_tail

#endif

  .section .note.GNU-stack, "", @progbits
