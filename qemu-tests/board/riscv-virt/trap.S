// The one entry of traps. Interrupts save every register on the interrupted thread's stack, so that
// the handler may switch threads before it returns. Everything else ends the run.
//
// Not saved: tp and gp, which belong to the hart and not to the thread.

#include "layout.h"
#include "registers_by_width.h"

#define FRAME_BYTES 32 * REGISTER_BYTES

  .macro each_register what
  \what ra, 0 * REGISTER_BYTES(sp)
  \what t1, 2 * REGISTER_BYTES(sp)
  \what t2, 3 * REGISTER_BYTES(sp)
  \what s0, 4 * REGISTER_BYTES(sp)
  \what s1, 5 * REGISTER_BYTES(sp)
  \what a0, 6 * REGISTER_BYTES(sp)
  \what a1, 7 * REGISTER_BYTES(sp)
  \what a2, 8 * REGISTER_BYTES(sp)
  \what a3, 9 * REGISTER_BYTES(sp)
  \what a4, 10 * REGISTER_BYTES(sp)
  \what a5, 11 * REGISTER_BYTES(sp)
  \what a6, 12 * REGISTER_BYTES(sp)
  \what a7, 13 * REGISTER_BYTES(sp)
  \what s2, 14 * REGISTER_BYTES(sp)
  \what s3, 15 * REGISTER_BYTES(sp)
  \what s4, 16 * REGISTER_BYTES(sp)
  \what s5, 17 * REGISTER_BYTES(sp)
  \what s6, 18 * REGISTER_BYTES(sp)
  \what s7, 19 * REGISTER_BYTES(sp)
  \what s8, 20 * REGISTER_BYTES(sp)
  \what s9, 21 * REGISTER_BYTES(sp)
  \what s10, 22 * REGISTER_BYTES(sp)
  \what s11, 23 * REGISTER_BYTES(sp)
  \what t3, 24 * REGISTER_BYTES(sp)
  \what t4, 25 * REGISTER_BYTES(sp)
  \what t5, 26 * REGISTER_BYTES(sp)
  \what t6, 27 * REGISTER_BYTES(sp)
  .endm

  .section .text.board_trap_entry, "ax"
  .balign 4
  .global board_trap_entry
board_trap_entry:
  addi sp, sp, -FRAME_BYTES
  STORE t0, 1 * REGISTER_BYTES(sp)
  csrr t0, mcause
  bgez t0, 1f               // the top bit: an interrupt
  each_register STORE
  csrr t0, mepc
  csrr t1, mstatus
  STORE t0, 28 * REGISTER_BYTES(sp)
  STORE t1, 29 * REGISTER_BYTES(sp)

  mv a0, sp
  mv a1, s0
  call kernel_interrupt

  LOAD t0, 28 * REGISTER_BYTES(sp)
  LOAD t1, 29 * REGISTER_BYTES(sp)
  csrw mepc, t0
  csrw mstatus, t1
  // A store-conditional of the interrupted code must not pair with a load-reserved made since.
  addi t0, sp, 30 * REGISTER_BYTES
  CLEAR_RESERVATION(t0)
  each_register LOAD
  LOAD t0, 1 * REGISTER_BYTES(sp)
  addi sp, sp, FRAME_BYTES
  mret
1:
  csrr a0, mcause
  csrr a1, mepc
  csrr a2, mtval
  mv a3, sp
  la sp, board_trap_stack_end
  tail board_trap

  .section .bss.board_trap_stack, "aw", %nobits
  .balign 16
  .skip BOOT_STACK_BYTES
board_trap_stack_end:
