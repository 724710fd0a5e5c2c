// Exception vectors. Interrupts save on the interrupted thread's stack, so that the handler may
// switch threads before it returns; what functions preserve, the switch saves. Everything else ends
// the run.

#define MODE_SUPERVISOR 0x13

  .section .text.board_vectors, "ax"
  .balign 32
  .global board_vectors
board_vectors:
  b trap_0
  b trap_1
  b trap_2
  b trap_3
  b trap_4
  b trap_5
  b interrupt
  b trap_7

  // In the exception's own mode, which has no stack.
  .macro trap number
trap_\number:
  mov r0, #\number
  mov r2, lr
  cps #MODE_SUPERVISOR
  .if \number == 3
  mrc p15, 0, r1, c5, c0, 1   // IFSR
  mrc p15, 0, r3, c6, c0, 2   // IFAR
  .else
  mrc p15, 0, r1, c5, c0, 0   // DFSR
  mrc p15, 0, r3, c6, c0, 0   // DFAR
  .endif
  bic sp, sp, #7
  b board_trap
  .endm

  trap 0
  trap 1
  trap 2
  trap 3
  trap 4
  trap 5
  trap 7

// TPIDRURO, otherwise unused, keeps the address for board::interrupted_address.
interrupt:
  sub lr, lr, #4
  mcr p15, 0, lr, c13, c0, 3
  srsdb sp!, #MODE_SUPERVISOR
  cps #MODE_SUPERVISOR
  push {r0-r3, r12}
  and r1, sp, #4
  sub sp, sp, r1
  add r0, sp, r1
  add r0, r0, #20             // what srsdb stored
  push {r1, lr}

  mov r1, r11
  bl kernel_interrupt

  pop {r1, lr}
  add sp, sp, r1
  pop {r0-r3, r12}
  // An exclusive store of the interrupted code must not pair with an exclusive load made since.
  clrex
  rfeia sp!
