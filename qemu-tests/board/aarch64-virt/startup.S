// From reset to C++: exception level 1, MMU with an identity map, vectors, a stack.
//
// Only zeros are loaded or stored before SCTLR has the byte order: constants are made by
// instructions, not read from a pool. QEMU sets the order for the boot CPU only, by the image's.
//
// The MMU comes first because exclusives may never succeed on memory that is not normal and
// cacheable. Boot CPU and the others take the same path; the others come out of PSCI CPU_ON with
// their number in x0.

#include "layout.h"

#define SCTLR_MMU (1 << 0)
#define SCTLR_ALIGNMENT (1 << 1)   // unaligned accesses fault in QEMU as they would on hardware
#define SCTLR_DCACHE (1 << 2)
#define SCTLR_STACK_ALIGNMENT (1 << 3)
#define SCTLR_ICACHE (1 << 12)
#define SCTLR_RES1 0x30d00800
#ifdef __AARCH64EB__
#define SCTLR_BYTE_ORDER ((1 << 24) | (1 << 25))   // data are big-endian at EL0, and at EL1 with its table walks
#else
#define SCTLR_BYTE_ORDER 0
#endif
#define SCTLR_VALUE (SCTLR_RES1 | SCTLR_BYTE_ORDER | SCTLR_MMU | SCTLR_ALIGNMENT | SCTLR_DCACHE | \
                     SCTLR_STACK_ALIGNMENT | SCTLR_ICACHE)

// T0SZ 25 (39 bits), walks cacheable and inner shareable, 4 KiB granule, TTBR1 off, 40-bit addresses.
#define TCR_VALUE (25 | (1 << 8) | (1 << 10) | (3 << 12) | (1 << 23) | (2 << 32))
#define MAIR_VALUE 0xff00          // 0: device nGnRnE, 1: normal write-back

#define BLOCK_DEVICE 0x0060000000000401   // execute never, access flag, attribute 0
#define BLOCK_NORMAL 0x0000000000000705   // inner shareable, access flag, attribute 1

  .macro constant register, value
  movz \register, #((\value) & 0xffff)
  movk \register, #(((\value) >> 16) & 0xffff), lsl #16
  movk \register, #(((\value) >> 32) & 0xffff), lsl #32
  .endm

  .section .text.boot, "ax"
  .global _start
_start:
  adrp x1, image_bss_start
  add x1, x1, :lo12:image_bss_start
  adrp x2, image_bss_end
  add x2, x2, :lo12:image_bss_end
1:
  cmp x1, x2
  b.hs 2f
  stp xzr, xzr, [x1], #16
  b 1b
2:
  mov x0, #0
  // falls through

  .global board_cpu_entry
board_cpu_entry:
  msr daifset, #0xf
  msr spsel, #1
  mov x19, x0

  adrp x1, board_boot_stacks
  add x1, x1, :lo12:board_boot_stacks
  add x2, x19, #1
  mov x3, #BOOT_STACK_BYTES
  madd x1, x2, x3, x1
  mov sp, x1

  adrp x1, translation_table
  add x1, x1, :lo12:translation_table
  msr ttbr0_el1, x1
  constant x1, MAIR_VALUE
  msr mair_el1, x1
  constant x1, TCR_VALUE
  msr tcr_el1, x1
  isb
  tlbi vmalle1
  dsb ish
  isb
  constant x1, SCTLR_VALUE
  msr sctlr_el1, x1
  isb

  adrp x1, board_vectors
  add x1, x1, :lo12:board_vectors
  msr vbar_el1, x1
  isb

  mov x29, #0
  mov x30, #0
  mov x0, x19
  cbnz x19, 3f
  bl kernel_main
3:
  bl kernel_secondary_main

// One block of 1 GiB each: devices below 0x40000000, RAM from there on.
  .section .rodata.translation_table, "a"
  .balign 4096
translation_table:
  .quad BLOCK_DEVICE
  .quad 0x40000000 + BLOCK_NORMAL
  .fill 510, 8, 0

  .section .bss.board_boot_stacks, "aw", %nobits
  .balign 16
  .global board_boot_stacks
board_boot_stacks:
  .skip BOOT_STACK_BYTES * BOARD_MAX_CPUS
