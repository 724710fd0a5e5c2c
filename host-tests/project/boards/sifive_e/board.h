/* SiFive's FE310 as QEMU has it: 16 KiB of RAM, code in flash, no CSR `time`; mtime at 10 MHz. */
#ifndef BOARD_H
#define BOARD_H

#include <barefxt_sifive.h>

static barefxt_sifive uart = {(volatile uint32_t*)0x10013000, 0, 0};

static inline void board_prepare(void) { barefxt_sifive_enable(&uart, 138); }
/* 2000 instructions. */
static inline void board_step(void) {
  uint32_t left = 1000;
  __asm__ volatile("1: addi %0, %0, -1\n\tbnez %0, 1b" : "+r"(left));
}
static inline barefxt_writer board_writer(void) {
  return (barefxt_writer){barefxt_sifive_write, &uart};
}
static inline bool board_has_sent(void) { return barefxt_sifive_drain(&uart) && uart.unsent == 0; }

#endif
