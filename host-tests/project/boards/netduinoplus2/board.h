/* An STM32F405 as QEMU has it: TIM2 is the counter, which counts nanoseconds there if nothing
 * divides, USART1 the line. */
#ifndef BOARD_H
#define BOARD_H

#include <barefxt_stm32.h>

static barefxt_stm32 uart = {(volatile uint32_t*)0x40011000, 0, 0};

static inline void board_prepare(void) {
  volatile uint32_t* const timer = (volatile uint32_t*)0x40000000;
  timer[0x28 / 4] = 999;        /* PSC: a tick is a thousand of its clock's */
  timer[0x2c / 4] = 0xffffffff; /* ARR */
  timer[0x14 / 4] = 1;          /* EGR: take both */
  timer[0x00 / 4] = 1;          /* CR1: count */
  barefxt_stm32_enable(&uart, 729);
}
static inline void board_step(void) {}
static inline barefxt_writer board_writer(void) {
  return (barefxt_writer){barefxt_stm32_write, &uart};
}
static inline bool board_has_sent(void) { return barefxt_stm32_drain(&uart) && uart.unsent == 0; }

#endif
