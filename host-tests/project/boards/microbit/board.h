/* An nRF51 as QEMU has it: SysTick at 16 MHz, the UART. */
#ifndef BOARD_H
#define BOARD_H

#include <barefxt_nrf.h>

#define BOARD_PERIOD 16000
#include "../systick.h"

static barefxt_nrf uart = {(volatile uint32_t*)0x40002000, 0, 0};

static inline void board_prepare(void) {
  systick_start();
  barefxt_nrf_enable(&uart, 0x10000000);
}
static inline void board_step(void) { systick_wait(); }
static inline barefxt_writer board_writer(void) {
  return (barefxt_writer){barefxt_nrf_write, &uart};
}
static inline bool board_has_sent(void) { return systick_went_back == 0 && uart.unsent == 0; }

#endif
