// The ways into exceptions and interrupts. Interrupts and NMI save every register on the
// interrupted thread's stack, so that the handler may switch threads before it returns. Everything
// else ends the run.
//
// Vector and interrupted address stand in the CPU's own block while the handler begins. The former
// values are kept on the stack: NMI may come between their store and their use.

#include "layout.h"

  .macro trap number, has_code=0
  .balign 16
  .if \has_code == 0
  push $0
  .endif
  push $\number
  jmp trapped
  .endm

  .section .text.board_vectors, "ax"

// 16 bytes each, by number.
  .balign 16
  .global board_traps
board_traps:
  trap 0
  trap 1
  trap 2
  trap 3
  trap 4
  trap 5
  trap 6
  trap 7
  trap 8, 1
  trap 9
  trap 10, 1
  trap 11, 1
  trap 12, 1
  trap 13, 1
  trap 14, 1
  trap 15
  trap 16
  trap 17, 1
  trap 18
  trap 19
  trap 20
  trap 21, 1

trapped:
  pop %rdi
  pop %rsi
  mov (%rsp), %rdx
  mov %cr2, %rcx
  and $-16, %rsp
  call board_trap

  .balign 16
  .global board_nmi
board_nmi:
  push $VECTOR_NMI
  jmp interrupt

  .balign 16
  .global board_timer
board_timer:
  push $VECTOR_TIMER
  jmp interrupt

  .balign 16
  .global board_reschedule
board_reschedule:
  push $VECTOR_RESCHEDULE
  jmp interrupt

  .balign 16
  .global board_park
board_park:
  push $VECTOR_PARK
  jmp interrupt

// Without an end: nothing was in service.
  .balign 16
  .global board_spurious
board_spurious:
  iretq

// The stack is at a multiple of 16 here, as it must be at the call.
interrupt:
  push %rax
  push %rcx
  push %rdx
  push %rbx
  push %rbp
  push %rsi
  push %rdi
  push %r8
  push %r9
  push %r10
  push %r11
  push %r12
  push %r13
  push %r14
  push %r15
  mov %gs:CPU_VECTOR, %eax
  push %rax
  push %gs:CPU_INTERRUPTED
  mov 136(%rsp), %rax             // the vector
  mov %eax, %gs:CPU_VECTOR
  mov 144(%rsp), %rax             // the address
  mov %rax, %gs:CPU_INTERRUPTED
  cld
  sub $8, %rsp

  lea 152(%rsp), %rdi             // what the CPU pushed
  mov %rbp, %rsi
  call kernel_interrupt

  add $8, %rsp
  pop %gs:CPU_INTERRUPTED
  pop %rax
  mov %eax, %gs:CPU_VECTOR
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %r11
  pop %r10
  pop %r9
  pop %r8
  pop %rdi
  pop %rsi
  pop %rbp
  pop %rbx
  pop %rdx
  pop %rcx
  pop %rax
  add $8, %rsp
  iretq

  .section .note.GNU-stack, "", @progbits
