// void board_context_switch(void** save, void* next): leaves one stack, goes on with another.
//
// Registers that a function call may clobber need no saving. There is no exclusive monitor to
// clear, so the switch that leaves that out is the same.

#include "layout.h"

  .section .text.board_context_switch, "ax"
  .global board_context_switch
  .global board_context_switch_without_clrex
board_context_switch:
board_context_switch_without_clrex:
  push %rbx
  push %rbp
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbp
  pop %rbx
  ret

  .section .note.GNU-stack, "", @progbits
