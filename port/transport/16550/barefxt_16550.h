/* Transport: a 16550 UART and its kin, polled, in memory or, on x86, behind I/O ports. The caller
 * has set baud rate and line control; console output may stand before and behind a dump on the same
 * line.
 *
 *     barefxt_16550 uart = {(volatile uint8_t*)0x10000000, 0, 0};
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
  uint16_t port;               /* not 0: the first of its ports, and no memory */
} barefxt_16550;

static inline uint8_t barefxt_16550_read_register(const barefxt_16550* uart, unsigned number) {
#if defined(__x86_64__) || defined(__i386__)
  if (uart->port != 0) {
    uint8_t value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"((uint16_t)(uart->port + number)));
    return value;
  }
#endif
  return uart->registers[number << uart->shift];
}
static inline void barefxt_16550_write_register(const barefxt_16550* uart, unsigned number,
                                                uint8_t value) {
#if defined(__x86_64__) || defined(__i386__)
  if (uart->port != 0) {
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"((uint16_t)(uart->port + number)));
    return;
  }
#endif
  uart->registers[number << uart->shift] = value;
}

static inline uint8_t barefxt_16550_status(const barefxt_16550* uart) {
  enum { LINE_STATUS = 5 };
  return barefxt_16550_read_register(uart, LINE_STATUS);
}

/* Blocks until the last byte is in the UART. */
static inline void barefxt_16550_write(void* context, const uint8_t* bytes, size_t count) {
  enum { DATA = 0, HOLDING_REGISTER_EMPTY = 1 << 5 };
  const barefxt_16550* const uart = (const barefxt_16550*)context;
  for (size_t i = 0; i < count; ++i) {
    while ((barefxt_16550_status(uart) & HOLDING_REGISTER_EMPTY) == 0) {
    }
    barefxt_16550_write_register(uart, DATA, bytes[i]);
  }
}

/* Waits until the last bit has left, before power goes or the line is given to somebody else. */
static inline void barefxt_16550_drain(const barefxt_16550* uart) {
  enum { TRANSMITTER_EMPTY = 1 << 6 };
  while ((barefxt_16550_status(uart) & TRANSMITTER_EMPTY) == 0) {
  }
}

#endif
