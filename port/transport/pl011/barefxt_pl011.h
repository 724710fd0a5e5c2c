/* Transport: ARM's PL011 UART, polled. The caller has set baud rate and line control; console
 * output may stand before and behind a dump on the same line.
 *
 *     barefxt_pl011 uart = {(volatile uint32_t*)0x09000000, 0, 0};
 *     barefxt_writer writer = {barefxt_pl011_write, &uart};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 *     if (uart.unsent != 0) ...;                    // the line stood still
 */
#ifndef BAREFXT_PL011_H
#define BAREFXT_PL011_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct barefxt_pl011 {
  volatile uint32_t* registers; /* mapped as device memory */
  uint32_t patience;            /* looks in vain before a write gives up; 0: a million */
  uint64_t unsent;              /* bytes that the UART did not take */
} barefxt_pl011;

/* Looks at the state in vain that a wait makes. */
static inline uint32_t barefxt_pl011_patience(const barefxt_pl011* uart) {
  return uart->patience != 0 ? uart->patience : 1000000;
}

/* The registers are little-endian, whichever order the CPU's data accesses have: the bus keeps
 * every byte at its address, so a big-endian CPU finds the least significant one at the other end.
 */
static inline uint32_t barefxt_pl011_little_endian(uint32_t value) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return __builtin_bswap32(value);
#else
  return value;
#endif
}

/* Blocks until the last byte is in the FIFO, as long as the patience lasts. Bytes left over are
 * counted, and so are those of later writes until the line goes on. */
static inline void barefxt_pl011_write(void* context, const uint8_t* bytes, size_t count) {
  enum { DATA = 0x00 / 4, FLAGS = 0x18 / 4, TRANSMIT_FIFO_FULL = 1 << 5 };
  barefxt_pl011* const uart = (barefxt_pl011*)context;
  volatile uint32_t* const registers = uart->registers;
  const uint32_t patience = barefxt_pl011_patience(uart);
  uint32_t left = uart->unsent == 0 ? patience : 1;
  for (size_t i = 0; i < count; ++i) {
    while ((barefxt_pl011_little_endian(registers[FLAGS]) & TRANSMIT_FIFO_FULL) != 0) {
      if (--left == 0) {
        uart->unsent += count - i;
        return;
      }
    }
    registers[DATA] = barefxt_pl011_little_endian(bytes[i]);
    left = patience;
  }
}

/* A byte that has come, for barefxt_receive; false: none has. */
static inline bool barefxt_pl011_read(const barefxt_pl011* uart, uint8_t* byte) {
  enum { DATA = 0x00 / 4, FLAGS = 0x18 / 4, RECEIVE_FIFO_EMPTY = 1 << 4, ERRORS = 0xf00 };
  while ((barefxt_pl011_little_endian(uart->registers[FLAGS]) & RECEIVE_FIFO_EMPTY) == 0) {
    const uint32_t data = barefxt_pl011_little_endian(uart->registers[DATA]);
    *byte = (uint8_t)data;
    /* One that came in pieces is none. */
    if ((data & ERRORS) == 0) return true;
  }
  return false;
}

/* Waits until the last bit has left, up to the patience, before power goes or the line is given to
 * somebody else. False: it has not. */
static inline bool barefxt_pl011_drain(const barefxt_pl011* uart) {
  enum { FLAGS = 0x18 / 4, BUSY = 1 << 3 };
  for (uint32_t left = barefxt_pl011_patience(uart); left != 0; --left)
    if ((barefxt_pl011_little_endian(uart->registers[FLAGS]) & BUSY) == 0) return true;
  return false;
}

#endif
