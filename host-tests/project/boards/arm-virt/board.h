/* QEMU's virt machine, of 64 or 32 bits: the generic timer at 62.5 MHz, a PL011. */
#ifndef BOARD_H
#define BOARD_H

#include <barefxt_pl011.h>

static barefxt_pl011 uart = {(volatile uint32_t*)0x09000000, 0, 0};

static inline void board_prepare(void) {}
/* 2000 instructions. */
static inline void board_step(void) {
  uint32_t left = 1000;
#ifdef __aarch64__
  __asm__ volatile("1: subs %w0, %w0, #1\n\tb.ne 1b" : "+r"(left) : : "cc");
#else
  __asm__ volatile("1: subs %0, %0, #1\n\tbne 1b" : "+r"(left) : : "cc");
#endif
}
static inline barefxt_writer board_writer(void) {
  return (barefxt_writer){barefxt_pl011_write, &uart};
}
static inline bool board_has_sent(void) { return barefxt_pl011_drain(&uart) && uart.unsent == 0; }

#endif
