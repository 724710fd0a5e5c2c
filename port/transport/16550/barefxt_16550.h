/* Transport: a 16550 UART and its kin, polled, in memory or, on x86, behind I/O ports. The caller
 * has set baud rate and line control; console output may stand before and behind a dump on the same
 * line.
 *
 *     barefxt_16550 uart = {(volatile uint8_t*)0x10000000, 0, 0, 0, 0, 0};
 *     barefxt_writer writer = {barefxt_16550_write, &uart};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 *     if (uart.unsent != 0) ...;                    // the line stood still
 */
#ifndef BAREFXT_16550_H
#define BAREFXT_16550_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct barefxt_16550 {
  volatile uint8_t* registers; /* mapped as device memory */
  unsigned shift;              /* registers are 1 << shift bytes apart: 0, or 2 on many chips */
  uint16_t port;               /* not 0: the first of its ports, and no memory */
  uint8_t width;               /* bytes that an access has: 4, or 1, as 0 is taken for */
  uint32_t patience;           /* looks in vain before a write gives up; 0: a million */
  uint64_t unsent;             /* bytes that the UART did not take */
} barefxt_16550;

/* Looks at the state in vain that a wait makes. */
static inline uint32_t barefxt_16550_patience(const barefxt_16550* uart) {
  return uart->patience != 0 ? uart->patience : 1000000;
}

static inline uint8_t barefxt_16550_read_register(const barefxt_16550* uart, unsigned number) {
#if defined(__x86_64__) || defined(__i386__)
  if (uart->port != 0) {
    uint8_t value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"((uint16_t)(uart->port + number)));
    return value;
  }
#endif
  volatile uint8_t* const at = uart->registers + ((size_t)number << uart->shift);
  return uart->width == 4 ? (uint8_t)*(volatile uint32_t*)at : *at;
}
static inline void barefxt_16550_write_register(const barefxt_16550* uart, unsigned number,
                                                uint8_t value) {
#if defined(__x86_64__) || defined(__i386__)
  if (uart->port != 0) {
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"((uint16_t)(uart->port + number)));
    return;
  }
#endif
  volatile uint8_t* const at = uart->registers + ((size_t)number << uart->shift);
  if (uart->width == 4)
    *(volatile uint32_t*)at = value;
  else
    *at = value;
}

static inline uint8_t barefxt_16550_status(const barefxt_16550* uart) {
  enum { LINE_STATUS = 5 };
  return barefxt_16550_read_register(uart, LINE_STATUS);
}

/* Blocks until the last byte is in the UART, as long as the patience lasts. Bytes left over are
 * counted, and so are those of later writes until the line goes on. */
static inline void barefxt_16550_write(void* context, const uint8_t* bytes, size_t count) {
  enum { DATA = 0, HOLDING_REGISTER_EMPTY = 1 << 5 };
  barefxt_16550* const uart = (barefxt_16550*)context;
  const uint32_t patience = barefxt_16550_patience(uart);
  uint32_t left = uart->unsent == 0 ? patience : 1;
  for (size_t i = 0; i < count; ++i) {
    while ((barefxt_16550_status(uart) & HOLDING_REGISTER_EMPTY) == 0) {
      if (--left == 0) {
        uart->unsent += count - i;
        return;
      }
    }
    barefxt_16550_write_register(uart, DATA, bytes[i]);
    left = patience;
  }
}

/* Waits until the last bit has left, up to the patience, before power goes or the line is given to
 * somebody else. False: it has not. */
static inline bool barefxt_16550_drain(const barefxt_16550* uart) {
  enum { TRANSMITTER_EMPTY = 1 << 6 };
  for (uint32_t left = barefxt_16550_patience(uart); left != 0; --left)
    if ((barefxt_16550_status(uart) & TRANSMITTER_EMPTY) != 0) return true;
  return false;
}

#endif
