// void board_context_switch(void** save, void* next): leaves one stack, goes on with another.
//
// Registers that a function call may clobber need no saving. CLREX: the thread that comes in may
// have been left between an exclusive load and its store; the store must fail.
//
// board_context_switch_without_clrex leaves CLREX out: a test shows the consequence.

#include "layout.h"

  .syntax unified
  .thumb

  .macro switch_stacks clear_monitor
  push {r3, lr}               // r3: the stack stays aligned to 8 bytes
  push {r4-r11}
  mov r2, sp
  str r2, [r0]
  mov sp, r1
  \clear_monitor
  pop {r4-r11}
  pop {r3, pc}
  .endm

  .section .text.board_context_switch, "ax"
  .global board_context_switch
  .type board_context_switch, %function
  .thumb_func
board_context_switch:
  switch_stacks clrex

  .section .text.board_context_switch_without_clrex, "ax"
  .global board_context_switch_without_clrex
  .type board_context_switch_without_clrex, %function
  .thumb_func
board_context_switch_without_clrex:
  switch_stacks
