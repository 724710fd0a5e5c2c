// From reset to C++, and from interrupts to the kernel.

#include "layout.h"

  .section .text.boot, "ax"
  .global _start
_start:
  move.w #0x2700, %sr
  lea image_bss_start, %a0
  lea image_bss_end, %a1
1:
  cmp.l %a0, %a1
  jls 2f
  clr.l (%a0)+
  jra 1b
2:
  lea board_vectors, %a0
  movec %a0, %vbr
  lea board_boot_stack_end, %sp
  jsr kernel_main

// Interrupts save every register on the interrupted thread's stack, so that the handler may switch
// threads before it returns.
  .section .text.board_interrupt, "ax"
board_interrupt:
  movem.l %d0-%d7/%a0-%a6, -(%sp)
  move.l INTERRUPT_FRAME_ADDRESS(%sp), board_interrupted_at
  move.w INTERRUPT_FRAME_VECTOR(%sp), board_interrupt_vector
  move.l %a6, -(%sp)
  pea 64(%sp)                     | what the CPU pushed
  jsr kernel_interrupt
  addq.l #8, %sp
  movem.l (%sp)+, %d0-%d7/%a0-%a6
  rte

// Everything else ends the run.
board_unexpected:
  move.w 6(%sp), %d0
  and.l #0xfff, %d0
  move.l 2(%sp), -(%sp)
  move.l %d0, -(%sp)
  jsr board_trap

  .section .rodata.board_vectors, "a"
  .balign 1024
board_vectors:
  .rept VECTOR_OF_LEVEL_0 + 1
  .long board_unexpected
  .endr
  .rept 6
  .long board_interrupt
  .endr
  .rept 256 - VECTOR_OF_LEVEL_0 - 7
  .long board_unexpected
  .endr

  .section .bss.board_boot_stack, "aw", %nobits
  .balign 16
  .skip BOOT_STACK_BYTES
board_boot_stack_end:

  .section .note.GNU-stack, "", @progbits
