// The least that makes an image which boots on QEMU's virt machine: the byte order of data, a stack,
// and an end with the status that main returns, by semihosting.
  .section .text.boot, "ax"
  .global _start
_start:
#ifdef __AARCH64EB__
  mrs x1, sctlr_el1
  orr x1, x1, #(1 << 25)
  msr sctlr_el1, x1
  isb
#endif
  adrp x1, image_stack_end
  add x1, x1, :lo12:image_stack_end
  mov sp, x1
  bl main
  adrp x1, exit_block
  add x1, x1, :lo12:exit_block
  mov w2, #0x26            // ADP_Stopped_ApplicationExit
  movk w2, #2, lsl #16
#ifdef __AARCH64EB__
  rev x0, x0               // QEMU takes a little-endian block in either order of data
  rev x2, x2
#endif
  stp x2, x0, [x1]
  mov w0, #0x18            // SYS_EXIT
  hlt #0xf000
1:
  wfi
  b 1b

  .bss
  .balign 16
exit_block:
  .skip 16
  .skip 65536
image_stack_end:

  .section .note.GNU-stack, "", %progbits
