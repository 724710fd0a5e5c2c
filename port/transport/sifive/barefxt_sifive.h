/* Transport: the UART of SiFive's FE310 and FU540, and their kin, polled. The caller has set the
 * pins; console output may stand before and behind a dump on the same line.
 *
 *     barefxt_sifive uart = {(volatile uint32_t*)0x10013000, 0, 0};
 *     barefxt_sifive_enable(&uart, 138);            // 16 MHz / 115200 baud - 1
 *     barefxt_writer writer = {barefxt_sifive_write, &uart};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 *     if (uart.unsent != 0) ...;                    // the line stood still
 */
#ifndef BAREFXT_SIFIVE_H
#define BAREFXT_SIFIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct barefxt_sifive {
  volatile uint32_t* registers;
  uint32_t patience; /* looks in vain before a write gives up; 0: a million */
  uint64_t unsent;   /* bytes that the UART did not take */
} barefxt_sifive;

/* Looks at the state in vain that a wait makes. */
static inline uint32_t barefxt_sifive_patience(const barefxt_sifive* uart) {
  return uart->patience != 0 ? uart->patience : 1000000;
}

/* The divisor is clock / baud rate - 1. */
static inline void barefxt_sifive_enable(const barefxt_sifive* uart, uint32_t divisor) {
  enum { TRANSMIT_CONTROL = 0x08 / 4, DIVISOR = 0x18 / 4, TRANSMIT = 1 << 0, LEVEL_1 = 1 << 16 };
  uart->registers[DIVISOR] = divisor;
  uart->registers[TRANSMIT_CONTROL] = TRANSMIT | LEVEL_1;
}

/* Blocks until the last byte is in the FIFO, as long as the patience lasts. Bytes left over are
 * counted, and so are those of later writes until the line goes on. */
static inline void barefxt_sifive_write(void* context, const uint8_t* bytes, size_t count) {
  enum { DATA = 0x00 / 4 };
  const uint32_t full = 0x80000000;
  barefxt_sifive* const uart = (barefxt_sifive*)context;
  const uint32_t patience = barefxt_sifive_patience(uart);
  uint32_t left = uart->unsent == 0 ? patience : 1;
  for (size_t i = 0; i < count; ++i) {
    while ((uart->registers[DATA] & full) != 0) {
      if (--left == 0) {
        uart->unsent += count - i;
        return;
      }
    }
    uart->registers[DATA] = bytes[i];
    left = patience;
  }
}

/* Waits until the FIFO is empty, up to the patience; one byte may still be on its way. False: it is
 * not. */
static inline bool barefxt_sifive_drain(const barefxt_sifive* uart) {
  enum { PENDING = 0x14 / 4, FIFO_BELOW_LEVEL = 1 << 0 };
  for (uint32_t left = barefxt_sifive_patience(uart); left != 0; --left)
    if ((uart->registers[PENDING] & FIFO_BELOW_LEVEL) != 0) return true;
  return false;
}

#endif
