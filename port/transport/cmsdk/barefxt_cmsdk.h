/* Transport: Arm's CMSDK APB UART, polled. The caller has set the baud rate and enabled the
 * transmitter; console output may stand before and behind a dump on the same line.
 *
 *     barefxt_cmsdk uart = {(volatile uint32_t*)0x40004000, 0, 0};
 *     barefxt_writer writer = {barefxt_cmsdk_write, &uart};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 *     if (uart.unsent != 0) ...;                    // the line stood still
 */
#ifndef BAREFXT_CMSDK_H
#define BAREFXT_CMSDK_H

#include <stddef.h>
#include <stdint.h>

typedef struct barefxt_cmsdk {
  volatile uint32_t* registers;
  uint32_t patience; /* looks in vain before a write gives up; 0: a million */
  uint64_t unsent;   /* bytes that the UART did not take */
} barefxt_cmsdk;

/* Looks at the state in vain that a wait makes. */
static inline uint32_t barefxt_cmsdk_patience(const barefxt_cmsdk* uart) {
  return uart->patience != 0 ? uart->patience : 1000000;
}

/* The divisor is clock / baud rate, 16 at the least. */
static inline void barefxt_cmsdk_enable(const barefxt_cmsdk* uart, uint32_t divisor) {
  enum { CONTROL = 0x08 / 4, DIVISOR = 0x10 / 4, TRANSMIT = 1 << 0, RECEIVE = 1 << 1 };
  uart->registers[DIVISOR] = divisor;
  uart->registers[CONTROL] = TRANSMIT | RECEIVE;
}

/* Blocks until the last byte is in the buffer, which holds one, as long as the patience lasts.
 * Bytes left over are counted, and so are those of later writes until the line goes on. */
static inline void barefxt_cmsdk_write(void* context, const uint8_t* bytes, size_t count) {
  enum { DATA = 0x00 / 4, STATE = 0x04 / 4, TRANSMIT_BUFFER_FULL = 1 << 0 };
  barefxt_cmsdk* const uart = (barefxt_cmsdk*)context;
  volatile uint32_t* const registers = uart->registers;
  const uint32_t patience = barefxt_cmsdk_patience(uart);
  uint32_t left = uart->unsent == 0 ? patience : 1;
  for (size_t i = 0; i < count; ++i) {
    while ((registers[STATE] & TRANSMIT_BUFFER_FULL) != 0) {
      if (--left == 0) {
        uart->unsent += count - i;
        return;
      }
    }
    registers[DATA] = bytes[i];
    left = patience;
  }
}

#endif
