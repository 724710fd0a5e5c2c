// The least that makes an image which boots on QEMU's virt machine, at EL1: the byte order of data, an
// identity map with MMU and caches on, a stack, and an end with the status that main returns, by
// semihosting.
//
// LEFT_OFF: bits of SCTLR that stay 0, for a test of that.
#ifndef LEFT_OFF
#define LEFT_OFF 0
#endif
#ifdef __AARCH64EB__
#define BYTE_ORDER (3 << 24)
#else
#define BYTE_ORDER 0
#endif
// RES1; then MMU, data cache and instruction cache.
#define CONTROL ((0x30d00800 | BYTE_ORDER | 0x1005) & ~(LEFT_OFF))

  .section .text.boot, "ax"
  .global _start
_start:
  adrp x1, table
  msr ttbr0_el1, x1
  mov x1, #0xff00          // attribute 0: device, 1: normal, write-back
  msr mair_el1, x1
  movz x1, #0x3519         // 39 bits of addresses, cacheable walks, inner shareable, 4 KiB; of 40 bits
  movk x1, #0x0080, lsl #16
  movk x1, #2, lsl #32
  msr tcr_el1, x1
  isb
  tlbi vmalle1
  dsb ish
  isb
  movz x1, #(CONTROL & 0xffff)
  movk x1, #(CONTROL >> 16), lsl #16
  msr sctlr_el1, x1
  isb
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

// Blocks of 1 GiB: devices, which are never executed, below 0x40000000, RAM from there on.
  .section .rodata.table, "a"
  .balign 4096
table:
  .quad 0x0060000000000401
  .quad 0x0000000040000705
  .fill 510, 8, 0

  .bss
  .balign 16
exit_block:
  .skip 16
  .skip 65536
image_stack_end:

  .section .note.GNU-stack, "", %progbits
