// Exception vectors. Interrupts save every register on the interrupted thread's stack, so that the
// handler may switch threads before it returns. Everything else ends the run.

#define FRAME_BYTES 272

  .macro trap number
  .balign 0x80
  mov x0, #\number
  mrs x1, esr_el1
  mrs x2, elr_el1
  mrs x3, far_el1
  b board_trap
  .endm

  .section .text.board_vectors, "ax"
  .balign 0x800
  .global board_vectors
board_vectors:
  trap 0
  trap 1
  trap 2
  trap 3
  trap 4
  .balign 0x80
  b interrupt
  trap 6
  trap 7
  trap 8
  trap 9
  trap 10
  trap 11
  trap 12
  trap 13
  trap 14
  trap 15

interrupt:
  sub sp, sp, #FRAME_BYTES
  stp x0, x1, [sp, #0]
  stp x2, x3, [sp, #16]
  stp x4, x5, [sp, #32]
  stp x6, x7, [sp, #48]
  stp x8, x9, [sp, #64]
  stp x10, x11, [sp, #80]
  stp x12, x13, [sp, #96]
  stp x14, x15, [sp, #112]
  stp x16, x17, [sp, #128]
  stp x18, x19, [sp, #144]
  stp x20, x21, [sp, #160]
  stp x22, x23, [sp, #176]
  stp x24, x25, [sp, #192]
  stp x26, x27, [sp, #208]
  stp x28, x29, [sp, #224]
  mrs x0, elr_el1
  mrs x1, spsr_el1
  stp x30, x0, [sp, #240]
  str x1, [sp, #256]

  mov x0, sp
  mov x1, x29
  bl kernel_interrupt

  ldp x30, x0, [sp, #240]
  ldr x1, [sp, #256]
  msr elr_el1, x0
  msr spsr_el1, x1
  ldp x2, x3, [sp, #16]
  ldp x4, x5, [sp, #32]
  ldp x6, x7, [sp, #48]
  ldp x8, x9, [sp, #64]
  ldp x10, x11, [sp, #80]
  ldp x12, x13, [sp, #96]
  ldp x14, x15, [sp, #112]
  ldp x16, x17, [sp, #128]
  ldp x18, x19, [sp, #144]
  ldp x20, x21, [sp, #160]
  ldp x22, x23, [sp, #176]
  ldp x24, x25, [sp, #192]
  ldp x26, x27, [sp, #208]
  ldp x28, x29, [sp, #224]
  ldp x0, x1, [sp, #0]
  add sp, sp, #FRAME_BYTES
  // An exclusive store of the interrupted code must not pair with an exclusive load made since.
  clrex
  eret
