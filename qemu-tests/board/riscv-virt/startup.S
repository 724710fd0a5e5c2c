// From reset to C++: the memory that must be zero, a number for the CPU, a stack, and where traps go.
//
// All harts come here at once. Hart 0 goes on; the others wait for a software interrupt, and for the
// number that they find beside it.

#include "layout.h"
#include "registers_by_width.h"

#define SOFTWARE_INTERRUPT (1 << 3)

  .section .text.boot, "ax"
  .global _start
_start:
  csrw mie, zero
  csrci mstatus, 8
  la t0, board_trap_entry
  csrw mtvec, t0
  csrr t0, mhartid
  bnez t0, wait_for_number

  la t1, image_bss_start
  la t2, image_bss_end
1:
  bgeu t1, t2, 2f
  STORE zero, (t1)
  addi t1, t1, REGISTER_BYTES
  j 1b
2:
  li tp, 0
  j on_own_stack

wait_for_number:
  csrwi mie, SOFTWARE_INTERRUPT   // which ends the wait; no interrupt is taken
3:
  wfi
  csrr t1, mip
  andi t1, t1, SOFTWARE_INTERRUPT
  beqz t1, 3b
  slli t1, t0, 2
  li t2, BOARD_CLINT
  add t2, t2, t1
  sw zero, (t2)
  fence
  la t2, board_cpu_of_hart
  add t2, t2, t1
  lw tp, (t2)

on_own_stack:
  la gp, board_rings
  slli t1, tp, 3
  add gp, gp, t1
  la sp, board_boot_stacks
  addi t1, tp, 1
  li t2, BOOT_STACK_BYTES
4:
  add sp, sp, t2
  addi t1, t1, -1
  bnez t1, 4b
  mv a0, tp
  bnez tp, 5f
  call kernel_main
5:
  call kernel_secondary_main

  .section .bss.board_rings, "aw", %nobits
  .balign 8
board_rings:
  .skip 8 * BOARD_MAX_CPUS

  .section .bss.board_boot_stacks, "aw", %nobits
  .balign 16
board_boot_stacks:
  .skip BOOT_STACK_BYTES * BOARD_MAX_CPUS
