/* Transport: the UART of Nordic's nRF51 and nRF52, without DMA, polled. The caller has set the
 * pins; console output may stand before and behind a dump on the same line.
 *
 *     barefxt_nrf uart = {(volatile uint32_t*)0x40002000, 0, 0};
 *     barefxt_writer writer = {barefxt_nrf_write, &uart};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 *     if (uart.unsent != 0) ...;                    // the line stood still
 */
#ifndef BAREFXT_NRF_H
#define BAREFXT_NRF_H

#include <stddef.h>
#include <stdint.h>

typedef struct barefxt_nrf {
  volatile uint32_t* registers;
  uint32_t patience; /* looks in vain before a write gives up; 0: a million */
  uint64_t unsent;   /* bytes that were given up, of which one may still be sent */
} barefxt_nrf;

/* Looks at the state in vain that a wait makes. */
static inline uint32_t barefxt_nrf_patience(const barefxt_nrf* uart) {
  return uart->patience != 0 ? uart->patience : 1000000;
}

/* `baud_register` as the chip's manual has it: 0x10000000 for 1 Mbaud, 0x01d7e000 for 115200. */
static inline void barefxt_nrf_enable(const barefxt_nrf* uart, uint32_t baud_register) {
  enum { START_TRANSMIT = 0x008 / 4, ENABLE = 0x500 / 4, BAUD = 0x524 / 4, ENABLED = 4 };
  uart->registers[BAUD] = baud_register;
  uart->registers[ENABLE] = ENABLED;
  uart->registers[START_TRANSMIT] = 1;
}

/* Blocks until the last byte is sent, as long as the patience lasts: the event of that shows that
 * one may follow. Bytes left over are counted, and so are those of later writes until the line goes
 * on. */
static inline void barefxt_nrf_write(void* context, const uint8_t* bytes, size_t count) {
  enum { IS_SENT = 0x11c / 4, DATA = 0x51c / 4 };
  barefxt_nrf* const uart = (barefxt_nrf*)context;
  volatile uint32_t* const registers = uart->registers;
  const uint32_t patience = barefxt_nrf_patience(uart);
  uint32_t left = patience;
  /* The byte that a write gave up on is still in the UART. */
  if (uart->unsent != 0 && registers[IS_SENT] == 0) {
    uart->unsent += count;
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    registers[IS_SENT] = 0;
    registers[DATA] = bytes[i];
    while (registers[IS_SENT] == 0) {
      if (--left == 0) {
        uart->unsent += count - i;
        return;
      }
    }
    left = patience;
  }
}

#endif
