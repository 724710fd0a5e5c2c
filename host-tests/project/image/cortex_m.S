// The least that makes an image which boots on a Cortex-M: vectors, of which a board may have three, a
// stack of IMAGE_STACK bytes, and an end with the status that main returns, by semihosting. For Cortex-M0, too.
#ifndef IMAGE_STACK
#define IMAGE_STACK 4096
#endif
  .syntax unified
  .thumb
  .weak board_memory_fault
  .thumb_set board_memory_fault, image_trap
  .weak board_nmi
  .thumb_set board_nmi, image_trap
  .weak board_systick
  .thumb_set board_systick, image_trap

  .section .vectors, "a"
  .word image_stack_end
  .word _start
  .word board_nmi
  .word image_trap
  .word board_memory_fault
  .rept 10
  .word image_trap
  .endr
  .word board_systick

  .text
  .global _start
  .type _start, %function
  .thumb_func
_start:
  bl main
end:
  ldr r2, =0x20026         // ADP_Stopped_ApplicationExit
  ldr r1, =exit_block
  str r2, [r1]
  str r0, [r1, #4]
  movs r0, #0x20           // SYS_EXIT_EXTENDED
  bkpt #0xab
1:
  wfi
  b 1b

  .type image_trap, %function
  .thumb_func
image_trap:
  movs r0, #16
  b end
  .ltorg

  .bss
  .balign 8
exit_block:
  .skip 8
  .skip IMAGE_STACK
image_stack_end:

  .section .note.GNU-stack, "", %progbits
