// void board_context_switch(void** save, void* next): leaves one stack, goes on with another.
//
// Registers that a function call may clobber need no saving. There is no exclusive monitor to
// clear, so the switch that leaves that out is the same.

  .section .text.board_context_switch, "ax"
  .global board_context_switch
  .global board_context_switch_without_clrex
board_context_switch:
board_context_switch_without_clrex:
  move.l 4(%sp), %a0
  move.l 8(%sp), %a1
  movem.l %d2-%d7/%a2-%a6, -(%sp)
  move.l %sp, (%a0)
  move.l %a1, %sp
  movem.l (%sp)+, %d2-%d7/%a2-%a6
  rts

  .section .note.GNU-stack, "", @progbits
