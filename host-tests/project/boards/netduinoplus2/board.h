/* An STM32F405 as QEMU has it: TIM2 is the counter, whose clock runs at 1 GHz there, and USART1 the
 * line. TIM2 has 32 bits; with BAREFXT_ARMV7M_COUNTER_BITS=16 it stands for a smaller one. */
#ifndef BOARD_H
#define BOARD_H

#include <barefxt_stm32.h>

static barefxt_stm32 uart = {(volatile uint32_t*)0x40011000, 0, 0};

static inline void board_prepare(void) {
  volatile uint32_t* const timer = (volatile uint32_t*)0x40000000;
  timer[0x28 / 4] = 999;        /* PSC: a tick is a microsecond */
  timer[0x2c / 4] = 0xffffffff; /* ARR */
  timer[0x14 / 4] = 1;          /* EGR: take both */
  timer[0x00 / 4] = 1;          /* CR1: count */
  barefxt_stm32_enable(&uart, 729);
}
/* 300,000 instructions: 19.2 ms, after which a kernel's tick came. */
static inline void board_step(void) {
  uint32_t left = 150000;
  __asm__ volatile("1: subs %0, %0, #1\n\tbne 1b" : "+r"(left) : : "cc");
  barefxt_clock_tick();
}
static inline barefxt_writer board_writer(void) {
  return (barefxt_writer){barefxt_stm32_write, &uart};
}
static inline bool board_has_sent(void) { return barefxt_stm32_drain(&uart) && uart.unsent == 0; }

#endif
