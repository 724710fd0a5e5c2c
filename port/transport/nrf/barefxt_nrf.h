/* Transport: the UART of Nordic's nRF51 and nRF52, without DMA, polled. The caller has set the
 * pins; console output may stand before and behind a dump on the same line.
 *
 *     barefxt_nrf uart = {(volatile uint32_t*)0x40002000};
 *     barefxt_writer writer = {barefxt_nrf_write, &uart};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 */
#ifndef BAREFXT_NRF_H
#define BAREFXT_NRF_H

#include <stddef.h>
#include <stdint.h>

typedef struct barefxt_nrf {
  volatile uint32_t* registers;
} barefxt_nrf;

/* `baud_register` as the chip's manual has it: 0x10000000 for 1 Mbaud, 0x01d7e000 for 115200. */
static inline void barefxt_nrf_enable(const barefxt_nrf* uart, uint32_t baud_register) {
  enum { START_TRANSMIT = 0x008 / 4, ENABLE = 0x500 / 4, BAUD = 0x524 / 4, ENABLED = 4 };
  uart->registers[BAUD] = baud_register;
  uart->registers[ENABLE] = ENABLED;
  uart->registers[START_TRANSMIT] = 1;
}

/* Blocks until the last byte is sent: the event of that shows that one may follow. */
static inline void barefxt_nrf_write(void* context, const uint8_t* bytes, size_t count) {
  enum { IS_SENT = 0x11c / 4, DATA = 0x51c / 4 };
  volatile uint32_t* const registers = ((const barefxt_nrf*)context)->registers;
  for (size_t i = 0; i < count; ++i) {
    registers[IS_SENT] = 0;
    registers[DATA] = bytes[i];
    while (registers[IS_SENT] == 0) {
    }
  }
}

#endif
