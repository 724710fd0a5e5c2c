/* The board: a UART, a timer, and an end. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

void board_start(void);
/* For a barefxt_writer. */
void board_write(void* context, const uint8_t* bytes, size_t count);
/* Keeps the CPU busy for so long, time in which the caller does not run not included. */
void board_work_us(uint32_t microseconds);
/* The application's: what happens after a fault, on the main stack. */
void board_fault(void);
/* Ends QEMU. */
void board_end(void) __attribute__((noreturn));

#endif
