/* Transport: the USART of STM32F1, F2, F4 and L1, polled: the older kind, with SR and DR. (F0, F3,
 * F7, G, H, L4 and later have ISR and TDR instead.) The caller has turned on the clocks of USART
 * and port, and set the pins; console output may stand before and behind a dump on the same line.
 *
 *     barefxt_stm32 uart = {(volatile uint32_t*)0x40011000, 0, 0};
 *     barefxt_stm32_enable(&uart, 729);             // 84 MHz / 115200 baud
 *     barefxt_writer writer = {barefxt_stm32_write, &uart};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 *     if (uart.unsent != 0) ...;                    // the line stood still
 */
#ifndef BAREFXT_STM32_H
#define BAREFXT_STM32_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct barefxt_stm32 {
  volatile uint32_t* registers;
  uint32_t patience; /* looks in vain before a write gives up; 0: a million */
  uint64_t unsent;   /* bytes that the USART did not take */
} barefxt_stm32;

/* Looks at the state in vain that a wait makes. */
static inline uint32_t barefxt_stm32_patience(const barefxt_stm32* uart) {
  return uart->patience != 0 ? uart->patience : 1000000;
}

/* The divisor is clock / baud rate, of the bus that the USART is on. */
static inline void barefxt_stm32_enable(const barefxt_stm32* uart, uint32_t divisor) {
  enum { DIVISOR = 0x08 / 4, CONTROL = 0x0c / 4, ENABLE = 1 << 13, TRANSMIT = 1 << 3 };
  uart->registers[DIVISOR] = divisor;
  uart->registers[CONTROL] = ENABLE | TRANSMIT;
}

/* Blocks until the last byte is in the data register, as long as the patience lasts. Bytes left
 * over are counted, and so are those of later writes until the line goes on. */
static inline void barefxt_stm32_write(void* context, const uint8_t* bytes, size_t count) {
  enum { STATE = 0x00 / 4, DATA = 0x04 / 4, DATA_REGISTER_EMPTY = 1 << 7 };
  barefxt_stm32* const uart = (barefxt_stm32*)context;
  const uint32_t patience = barefxt_stm32_patience(uart);
  uint32_t left = uart->unsent == 0 ? patience : 1;
  for (size_t i = 0; i < count; ++i) {
    while ((uart->registers[STATE] & DATA_REGISTER_EMPTY) == 0) {
      if (--left == 0) {
        uart->unsent += count - i;
        return;
      }
    }
    uart->registers[DATA] = bytes[i];
    left = patience;
  }
}

/* Waits until the last bit has left, up to the patience, before power goes or the line is given to
 * somebody else. False: it has not. */
static inline bool barefxt_stm32_drain(const barefxt_stm32* uart) {
  enum { STATE = 0x00 / 4, TRANSMISSION_COMPLETE = 1 << 6 };
  for (uint32_t left = barefxt_stm32_patience(uart); left != 0; --left)
    if ((uart->registers[STATE] & TRANSMISSION_COMPLETE) != 0) return true;
  return false;
}

#endif
