// void board_context_switch(void** save, void* next): leaves one stack, goes on with another.
//
// Registers that a function call may clobber need no saving. CLREX: the thread that comes in may
// have been left between an exclusive load and its store; the store must fail.
//
// board_context_switch_without_clrex leaves CLREX out: a test shows the consequence.

  .macro switch_stacks clear_monitor
  push {r3-r11, lr}
  str sp, [r0]
  mov sp, r1
  \clear_monitor
  pop {r3-r11, pc}
  .endm

  .section .text.board_context_switch, "ax"
  .global board_context_switch
  .type board_context_switch, %function
board_context_switch:
  switch_stacks clrex

  .section .text.board_context_switch_without_clrex, "ax"
  .global board_context_switch_without_clrex
  .type board_context_switch_without_clrex, %function
board_context_switch_without_clrex:
  switch_stacks
