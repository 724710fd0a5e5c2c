// void board_context_switch(void** save, void* next): leaves one stack, goes on with another.
//
// Registers that a function call may clobber need no saving. The dummy store-conditional, to an
// unused word of the frame, clears the hart's reservation: the thread that comes in may have been
// left between a load-reserved and its store-conditional; that must fail.
//
// board_context_switch_without_clrex leaves that out: a test shows the consequence.

#include "layout.h"
#include "registers_by_width.h"

  .macro switch_stacks clear_reservation
  addi sp, sp, -SWITCH_FRAME_BYTES
  STORE ra, SWITCH_FRAME_RA * REGISTER_BYTES(sp)
  STORE s0, 1 * REGISTER_BYTES(sp)
  STORE s1, 2 * REGISTER_BYTES(sp)
  STORE s2, 3 * REGISTER_BYTES(sp)
  STORE s3, 4 * REGISTER_BYTES(sp)
  STORE s4, 5 * REGISTER_BYTES(sp)
  STORE s5, 6 * REGISTER_BYTES(sp)
  STORE s6, 7 * REGISTER_BYTES(sp)
  STORE s7, 8 * REGISTER_BYTES(sp)
  STORE s8, 9 * REGISTER_BYTES(sp)
  STORE s9, 10 * REGISTER_BYTES(sp)
  STORE s10, 11 * REGISTER_BYTES(sp)
  STORE s11, 12 * REGISTER_BYTES(sp)
  STORE sp, (a0)
  mv sp, a1
  .if \clear_reservation
  addi t0, sp, 15 * REGISTER_BYTES
  CLEAR_RESERVATION(t0)
  .endif
  LOAD ra, SWITCH_FRAME_RA * REGISTER_BYTES(sp)
  LOAD s0, 1 * REGISTER_BYTES(sp)
  LOAD s1, 2 * REGISTER_BYTES(sp)
  LOAD s2, 3 * REGISTER_BYTES(sp)
  LOAD s3, 4 * REGISTER_BYTES(sp)
  LOAD s4, 5 * REGISTER_BYTES(sp)
  LOAD s5, 6 * REGISTER_BYTES(sp)
  LOAD s6, 7 * REGISTER_BYTES(sp)
  LOAD s7, 8 * REGISTER_BYTES(sp)
  LOAD s8, 9 * REGISTER_BYTES(sp)
  LOAD s9, 10 * REGISTER_BYTES(sp)
  LOAD s10, 11 * REGISTER_BYTES(sp)
  LOAD s11, 12 * REGISTER_BYTES(sp)
  addi sp, sp, SWITCH_FRAME_BYTES
  ret
  .endm

  .section .text.board_context_switch, "ax"
  .global board_context_switch
board_context_switch:
  switch_stacks 1

  .section .text.board_context_switch_without_clrex, "ax"
  .global board_context_switch_without_clrex
board_context_switch_without_clrex:
  switch_stacks 0
