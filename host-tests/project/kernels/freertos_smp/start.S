  .section .start, "ax"
  .global start
start:
  la t0, traps
  ori t0, t0, 1
  csrw mtvec, t0
  call take_stack
  csrr t0, mhartid
  bnez t0, second
  call main
  call board_end

/* The second hart waits until the port sends it an interrupt. */
second:
  csrr t0, mip
  andi t0, t0, 8
  beqz t0, second
  tail freertos_risc_v_scheduler_launch_handler

take_stack:
  la sp, stacks_end
  csrr t0, mhartid
  slli t0, t0, 12
  sub sp, sp, t0
  ret

fault:
  call take_stack
  tail board_fault

  .option norvc
  .balign 128
traps:
  j fault
  j freertos_risc_v_interrupt_handler /* the device's: software sets it */
  j fault
  j freertos_risc_v_msip_interrupt_handler
  j fault
  j fault
  j fault
  j freertos_risc_v_mtimer_interrupt_handler
