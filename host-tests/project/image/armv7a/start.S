// The least that makes an image which boots on QEMU's virt machine: a stack, and an end with the
// status that main returns, by semihosting.
  .section .text.boot, "ax"
  .global _start
  .type _start, %function
_start:
  ldr sp, =image_stack_end
  bl main
  ldr r2, =0x20026         // ADP_Stopped_ApplicationExit
  ldr r1, =exit_block
  str r2, [r1]
  str r0, [r1, #4]
  mov r0, #0x20            // SYS_EXIT_EXTENDED
  svc #0x123456
1:
  wfi
  b 1b
  .ltorg

  .bss
  .balign 8
exit_block:
  .skip 8
  .skip 65536
image_stack_end:

  .section .note.GNU-stack, "", %progbits
