// The least that makes an image which boots on QEMU's virt machine: an identity map with MMU and caches
// on, a stack, and an end with the status that main returns, by semihosting.
//
// LEFT_OFF: bits of SCTLR that stay 0, for a test of that.
#ifndef LEFT_OFF
#define LEFT_OFF 0
#endif
// MMU, data cache and instruction cache.
#define CONTROL (0x1005 & ~(LEFT_OFF))

  .section .text.boot, "ax"
  .global _start
  .type _start, %function
_start:
  mrc p15, 0, r1, c1, c0, 1
  orr r1, r1, #(1 << 6)    // ACTLR.SMP: take part in coherency
  mcr p15, 0, r1, c1, c0, 1
  ldr r1, =0x80803500      // TTBCR: long descriptors, cacheable walks, inner shareable, no TTBR1
  mcr p15, 0, r1, c2, c0, 2
  ldr r1, =table
  mov r2, #0
  mcrr p15, 0, r1, r2, c2  // TTBR0
  mov r1, #0xff00          // MAIR0: attribute 0: strongly ordered, 1: normal, write-back
  mcr p15, 0, r1, c10, c2, 0
  isb
  mcr p15, 0, r2, c8, c7, 0 // TLBIALL
  dsb ish
  isb
  mrc p15, 0, r1, c1, c0, 0
  ldr r2, =CONTROL
  orr r1, r1, r2
  mcr p15, 0, r1, c1, c0, 0
  isb
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

// Blocks of 1 GiB: devices, which are never executed, below 0x40000000, RAM from there on.
  .section .rodata.table, "a"
  .balign 32
table:
  .quad 0x0060000000000401
  .quad 0x0000000040000705
  .quad 0
  .quad 0

  .bss
  .balign 8
exit_block:
  .skip 8
  .skip 65536
image_stack_end:

  .section .note.GNU-stack, "", %progbits
