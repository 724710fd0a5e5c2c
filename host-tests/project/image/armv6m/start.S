// The least that makes an image which boots on the BBC micro:bit: a stack, and an end with the status
// that main returns, by semihosting.
  .syntax unified
  .thumb
  .section .vectors, "a"
  .word image_stack_end
  .word _start
  .rept 14
  .word image_trap
  .endr

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
  movs r0, #1
  b end
  .ltorg

  .bss
  .balign 8
exit_block:
  .skip 8
  .skip 4096
image_stack_end:

  .section .note.GNU-stack, "", %progbits
