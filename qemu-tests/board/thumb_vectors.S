// The vector table, and the way from an interrupt to the kernel and back.
//
// The kernel handles interrupts in thread mode, interrupts off, on the interrupted thread's stack:
// there it may switch threads by call and return, which the handler mode of M-profile forbids, since
// a CPU counts the exceptions that it is in. So the handler makes an exception frame of its own and
// returns through it. The way back is an exception as well, PendSV, of the highest priority: it
// comes before every interrupt that is pending by then, drops its own frame, and returns through the
// first one.
//
// All threads run on the main stack pointer. An interrupted thread has interrupts on, or would not be
// interrupted, so to switch them on is all that the way back has to restore.

#include "layout.h"

  .syntax unified
  .thumb

#define INTERRUPT_CONTROL_STATE 0xe000ed04
#define SET_PENDSV (1 << 28)
#define THUMB_STATE (1 << 24)

  .macro handler name
  .global \name
  .type \name, %function
  .thumb_func
\name:
  .endm

  .section .vectors, "a"
  .balign 512
  .global board_vectors
board_vectors:
  .word board_boot_stack_top
  .word board_start
  .word board_unexpected   // NMI
  .word board_unexpected   // HardFault
  .word board_unexpected   // MemManage; it and the next three are reserved on ARMv6-M, as is DebugMonitor
  .word board_unexpected   // BusFault
  .word board_unexpected   // UsageFault
  .word board_unexpected   // SecureFault
  .word 0, 0, 0
  .word board_unexpected   // SVCall
  .word board_unexpected   // DebugMonitor
  .word 0
  .word board_leave_interrupt   // PendSV
  .rept 1 + BOARD_INTERRUPTS    // SysTick, and the board's
  .word board_interrupt
  .endr

#if BAREFXT_MAX_CPUS > 1
// Vectors by which the other CPU comes up.
  .balign 512
  .global board_secondary_vectors
board_secondary_vectors:
  .word board_secondary_stack_top
  .word board_secondary_start
  .word board_unexpected
  .word board_unexpected
#endif

  .section .text.board_interrupt, "ax"
handler board_interrupt
  cpsid i
  mrs r0, ipsr
  ldr r1, =board_interrupt_number
  ldr r3, =board_interrupted_at
#if BAREFXT_MAX_CPUS > 1
  ldr r2, =BAREFXT_ARMV7M_CPU_NUMBER
  ldr r2, [r2]
  lsls r2, r2, #2
  adds r1, r1, r2
  adds r3, r3, r2
#endif
  str r0, [r1]
  ldr r0, [sp, #EXCEPTION_FRAME_PC]
  str r0, [r3]
  sub sp, #EXCEPTION_FRAME_BYTES
  ldr r0, =board_handle_interrupt
  str r0, [sp, #EXCEPTION_FRAME_PC]
  ldr r0, =THUMB_STATE
  str r0, [sp, #EXCEPTION_FRAME_XPSR]
  bx lr

// Not marked as a function: an exception frame wants the address without the lowest bit.
  .balign 4
board_handle_interrupt:
  mov r0, sp
  mov r1, r7
  bl kernel_interrupt
  ldr r0, =INTERRUPT_CONTROL_STATE
  ldr r1, =SET_PENDSV
  str r1, [r0]
  dsb
  cpsie i
  isb
1:
  b 1b

handler board_leave_interrupt
  add sp, #EXCEPTION_FRAME_BYTES
  bx lr

handler board_unexpected
  mrs r0, ipsr
  mov r1, sp
  bl board_trap

  .section .bss.board_boot_stack, "aw", %nobits
  .balign 16
  .skip BOOT_STACK_BYTES
board_boot_stack_top:
#if BAREFXT_MAX_CPUS > 1
  .skip BOOT_STACK_BYTES
board_secondary_stack_top:
#endif
