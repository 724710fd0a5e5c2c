// From reset to C++: supervisor mode, MMU with an identity map, vectors, a stack.
//
// The MMU comes first because exclusives may never succeed on memory that is not normal and
// cacheable. Boot CPU and the others take the same path; the others come out of PSCI CPU_ON with
// their number in r0.

#include "layout.h"

#define SCTLR_MMU (1 << 0)
#define SCTLR_ALIGNMENT (1 << 1)   // unaligned accesses fault in QEMU as they would on hardware
#define SCTLR_DCACHE (1 << 2)
#define SCTLR_PREDICTION (1 << 11)
#define SCTLR_ICACHE (1 << 12)
#define SCTLR_ON (SCTLR_MMU | SCTLR_ALIGNMENT | SCTLR_DCACHE | SCTLR_PREDICTION | SCTLR_ICACHE)

#define ACTLR_SMP (1 << 6)         // take part in coherency

// Long descriptors, walks cacheable and inner shareable, TTBR1 off.
#define TTBCR_VALUE ((1 << 31) | (1 << 8) | (1 << 10) | (3 << 12) | (1 << 23))
#define MAIR_VALUE 0xff00          // 0: strongly ordered, 1: normal write-back

#define BLOCK_DEVICE 0x0060000000000401   // execute never, access flag, attribute 0
#define BLOCK_NORMAL 0x0000000000000705   // inner shareable, access flag, attribute 1

  .macro constant register, value
  movw \register, #((\value) & 0xffff)
  movt \register, #(((\value) >> 16) & 0xffff)
  .endm
  .macro address register, symbol
  movw \register, #:lower16:\symbol
  movt \register, #:upper16:\symbol
  .endm

  .section .text.boot, "ax"
  .global _start
  .type _start, %function
_start:
  address r1, image_bss_start
  address r2, image_bss_end
  mov r3, #0
1:
  cmp r1, r2
  bhs 2f
  str r3, [r1], #4
  b 1b
2:
  mov r0, #0
  // falls through

  .global board_cpu_entry
  .type board_cpu_entry, %function
board_cpu_entry:
  cpsid aif, #0x13
  mov r4, r0

  address r1, board_boot_stacks
  add r2, r4, #1
  mov r3, #BOOT_STACK_BYTES
  mla sp, r2, r3, r1

  mrc p15, 0, r1, c1, c0, 1
  orr r1, r1, #ACTLR_SMP
  mcr p15, 0, r1, c1, c0, 1

  constant r1, TTBCR_VALUE
  mcr p15, 0, r1, c2, c0, 2
  address r1, translation_table
  mov r2, #0
  mcrr p15, 0, r1, r2, c2          // TTBR0
  constant r1, MAIR_VALUE
  mcr p15, 0, r1, c10, c2, 0       // MAIR0
  isb
  mcr p15, 0, r2, c8, c7, 0        // TLBIALL
  dsb ish
  isb
  mrc p15, 0, r1, c1, c0, 0
  constant r2, SCTLR_ON
  orr r1, r1, r2
  mcr p15, 0, r1, c1, c0, 0
  isb

  address r1, board_vectors
  mcr p15, 0, r1, c12, c0, 0       // VBAR
  isb

  mov r11, #0
  mov r0, r4
  cmp r4, #0
  bne 3f
  bl kernel_main
3:
  bl kernel_secondary_main

// One block of 1 GiB each: devices below 0x40000000, RAM from there on.
  .section .rodata.translation_table, "a"
  .balign 32
translation_table:
  .quad BLOCK_DEVICE
  .quad 0x40000000 + BLOCK_NORMAL
  .quad 0
  .quad 0

  .section .bss.board_boot_stacks, "aw", %nobits
  .balign 16
  .global board_boot_stacks
board_boot_stacks:
  .skip BOOT_STACK_BYTES * BOARD_MAX_CPUS
