// The least that makes an image which boots on SiFive's FE310, where nothing but the flash is set up:
// cleared variables, a stack, an end with the status that main returns, by semihosting.
  .option norvc
  .section .text.boot, "ax"
  .global _start
_start:
  la t0, trap
  csrw mtvec, t0
  la sp, image_stack_end
  la t0, image_bss_begin
  la t1, image_bss_end
1:
  sw zero, (t0)
  addi t0, t0, 4
  bltu t0, t1, 1b
  call main
end:
  la a1, exit_block
  li t0, 0x20026           // ADP_Stopped_ApplicationExit
  sw t0, (a1)
  sw a0, 4(a1)
  li a0, 0x20              // SYS_EXIT_EXTENDED
  .balign 16
  slli zero, zero, 0x1f
  ebreak
  srai zero, zero, 7
2:
  j 2b

// The status is 16 and the cause.
  .balign 4
trap:
  csrr a0, mcause
  addi a0, a0, 16
  la sp, image_stack_end
  j end

  .bss
  .balign 16
exit_block:
  .skip 16
  .skip 2048
image_stack_end:

  .section .note.GNU-stack, "", %progbits
