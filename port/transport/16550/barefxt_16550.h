/* Transport: a 16550 UART and its kin, polled, in memory. The caller has set baud rate and line
 * control; console output may stand before and behind a dump on the same line.
 *
 *     barefxt_16550 uart = {(volatile uint8_t*)0x10000000, 0};
 *     barefxt_writer writer = {barefxt_16550_write, &uart};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 */
#ifndef BAREFXT_16550_H
#define BAREFXT_16550_H

#include <stddef.h>
#include <stdint.h>

typedef struct barefxt_16550 {
  volatile uint8_t* registers; /* mapped as device memory; read and written by the byte */
  unsigned shift;              /* registers are 1 << shift bytes apart: 0, or 2 on many chips */
} barefxt_16550;

static inline uint8_t barefxt_16550_status(const barefxt_16550* uart) {
  enum { LINE_STATUS = 5 };
  return uart->registers[LINE_STATUS << uart->shift];
}

/* Blocks until the last byte is in the UART. */
static inline void barefxt_16550_write(void* context, const uint8_t* bytes, size_t count) {
  enum { DATA = 0, HOLDING_REGISTER_EMPTY = 1 << 5 };
  const barefxt_16550* const uart = (const barefxt_16550*)context;
  for (size_t i = 0; i < count; ++i) {
    while ((barefxt_16550_status(uart) & HOLDING_REGISTER_EMPTY) == 0) {
    }
    uart->registers[DATA << uart->shift] = bytes[i];
  }
}

/* Waits until the last bit has left, before power goes or the line is given to somebody else. */
static inline void barefxt_16550_drain(const barefxt_16550* uart) {
  enum { TRANSMITTER_EMPTY = 1 << 6 };
  while ((barefxt_16550_status(uart) & TRANSMITTER_EMPTY) == 0) {
  }
}

#endif
