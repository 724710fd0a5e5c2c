// The least that makes an image which boots on QEMU's virt machine: a stack, and an end with the
// status that main returns, by semihosting.
  .section .text.boot, "ax"
  .global _start
_start:
  adrp x1, image_stack_end
  add x1, x1, :lo12:image_stack_end
  mov sp, x1
  bl main
  adrp x1, exit_block
  add x1, x1, :lo12:exit_block
  str x0, [x1, #8]
  mov w0, #0x18            // SYS_EXIT
  hlt #0xf000
1:
  wfi
  b 1b

  .data
  .balign 8
exit_block:
  .quad 0x20026            // ADP_Stopped_ApplicationExit
  .quad 0

  .bss
  .balign 16
  .skip 65536
image_stack_end:

  .section .note.GNU-stack, "", %progbits
