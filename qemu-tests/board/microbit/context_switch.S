// void board_context_switch(void** save, void* next): leaves one stack, goes on with another.
//
// Registers that a function call may clobber need no saving. There is no exclusive monitor to
// clear, so both functions are one.

#include "layout.h"

  .syntax unified
  .thumb

  .section .text.board_context_switch, "ax"
  .global board_context_switch
  .type board_context_switch, %function
  .thumb_func
board_context_switch:
  .global board_context_switch_without_clrex
  .type board_context_switch_without_clrex, %function
  .thumb_func
board_context_switch_without_clrex:
  push {r3-r7, lr}            // r3: the stack stays aligned to 8 bytes
  mov r4, r8
  mov r5, r9
  mov r6, r10
  mov r7, r11
  push {r4-r7}
  mov r2, sp
  str r2, [r0]
  mov sp, r1
  pop {r4-r7}
  mov r8, r4
  mov r9, r5
  mov r10, r6
  mov r11, r7
  pop {r3-r7, pc}
