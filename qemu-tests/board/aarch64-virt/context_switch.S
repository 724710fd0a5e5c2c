// void board_context_switch(void** save, void* next): leaves one stack, goes on with another.
//
// Registers that a function call may clobber need no saving. CLREX: the thread that comes in may
// have been left between an exclusive load and its store; the store must fail.
//
// board_context_switch_without_clrex leaves CLREX out: a test shows the consequence.

#include "layout.h"

  .macro switch_stacks clear_monitor
  stp x29, x30, [sp, #-SWITCH_FRAME_BYTES]!
  stp x19, x20, [sp, #16]
  stp x21, x22, [sp, #32]
  stp x23, x24, [sp, #48]
  stp x25, x26, [sp, #64]
  stp x27, x28, [sp, #80]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  \clear_monitor
  ldp x19, x20, [sp, #16]
  ldp x21, x22, [sp, #32]
  ldp x23, x24, [sp, #48]
  ldp x25, x26, [sp, #64]
  ldp x27, x28, [sp, #80]
  ldp x29, x30, [sp], #SWITCH_FRAME_BYTES
  ret
  .endm

  .section .text.board_context_switch, "ax"
  .global board_context_switch
board_context_switch:
  switch_stacks clrex

  .section .text.board_context_switch_without_clrex, "ax"
  .global board_context_switch_without_clrex
board_context_switch_without_clrex:
  switch_stacks
