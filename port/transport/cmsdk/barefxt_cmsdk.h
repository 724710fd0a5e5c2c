/* Transport: Arm's CMSDK APB UART, polled. The caller has set the baud rate and enabled the
 * transmitter; console output may stand before and behind a dump on the same line.
 *
 *     barefxt_cmsdk uart = {(volatile uint32_t*)0x40004000};
 *     barefxt_writer writer = {barefxt_cmsdk_write, &uart};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 */
#ifndef BAREFXT_CMSDK_H
#define BAREFXT_CMSDK_H

#include <stddef.h>
#include <stdint.h>

typedef struct barefxt_cmsdk {
  volatile uint32_t* registers;
} barefxt_cmsdk;

/* The divisor is clock / baud rate, 16 at the least. */
static inline void barefxt_cmsdk_enable(const barefxt_cmsdk* uart, uint32_t divisor) {
  enum { CONTROL = 0x08 / 4, DIVISOR = 0x10 / 4, TRANSMIT = 1 << 0, RECEIVE = 1 << 1 };
  uart->registers[DIVISOR] = divisor;
  uart->registers[CONTROL] = TRANSMIT | RECEIVE;
}

/* Blocks until the last byte is in the buffer, which holds one. */
static inline void barefxt_cmsdk_write(void* context, const uint8_t* bytes, size_t count) {
  enum { DATA = 0x00 / 4, STATE = 0x04 / 4, TRANSMIT_BUFFER_FULL = 1 << 0 };
  volatile uint32_t* const registers = ((const barefxt_cmsdk*)context)->registers;
  for (size_t i = 0; i < count; ++i) {
    while ((registers[STATE] & TRANSMIT_BUFFER_FULL) != 0) {
    }
    registers[DATA] = bytes[i];
  }
}

#endif
