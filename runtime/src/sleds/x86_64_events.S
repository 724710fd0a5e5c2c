// Trampolines of events on x86-64 (x86_64.h), called by the compiler's sleds. To the compiler an
// event changes no register: so all that a call may change is saved, and the flags.

#include <barefxt/config.h>

#if BAREFXT_FUNCTIONS && !BAREFXT_DISABLED && defined(__x86_64__)

#include "ring_layout.h"

  .macro event name, record
  .section .text.\name, "ax"
  .global \name
  .type \name, @function
\name:
  pushfq
  testl $(1 << BAREFXT_FUNCTION_CATEGORY), barefxt_enabled_categories(%rip)
  jz 9f
  pushq %rbp
  movq %rsp, %rbp
  pushq %rax
  pushq %rcx
  pushq %r8
  pushq %r9
  pushq %r10
  pushq %r11
  pushq %rdx
  pushq %rsi
  pushq %rdi
  movq %rsp, %rdi       // the arguments, in a row
  leaq 24(%rbp), %rsi   // what the sled has saved
  movq 16(%rbp), %rdx   // where it goes on
  andq $-16, %rsp
  call \record
  leaq -72(%rbp), %rsp
  popq %rdi
  popq %rsi
  popq %rdx
  popq %r11
  popq %r10
  popq %r9
  popq %r8
  popq %rcx
  popq %rax
  popq %rbp
9:
  popfq
  ret
  .size \name, . - \name
  .endm

  event __xray_CustomEvent, barefxt_record_custom_event
  event __xray_TypedEvent, barefxt_record_typed_event

#endif

#include "notes.inc"
