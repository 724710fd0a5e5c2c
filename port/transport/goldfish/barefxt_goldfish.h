/* Transport: the serial line of the Goldfish platform, as QEMU's virt machine for m68k has it.
 *
 *     barefxt_goldfish tty = {(volatile uint32_t*)0xff008000};
 *     barefxt_writer writer = {barefxt_goldfish_write, &tty};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 *
 * The device reads the bytes from memory itself, at the address that the CPU sees. If addresses are
 * translated, put the bytes at one that is not. Its registers are in the CPU's byte order.
 */
#ifndef BAREFXT_GOLDFISH_H
#define BAREFXT_GOLDFISH_H

#include <stddef.h>
#include <stdint.h>

typedef struct barefxt_goldfish {
  volatile uint32_t* registers;
} barefxt_goldfish;

/* Returns when all bytes are taken. */
static inline void barefxt_goldfish_write(void* context, const uint8_t* bytes, size_t count) {
  enum { COMMAND = 2, ADDRESS = 4, LENGTH = 5, ADDRESS_HIGH = 6, WRITE_BUFFER = 2 };
  volatile uint32_t* const registers = ((const barefxt_goldfish*)context)->registers;
  const uint64_t address = (uintptr_t)bytes;
  if (count == 0) return;
  __asm__ volatile("" : : : "memory");
  registers[ADDRESS] = (uint32_t)address;
  registers[ADDRESS_HIGH] = (uint32_t)(address >> 32);
  registers[LENGTH] = (uint32_t)count;
  registers[COMMAND] = WRITE_BUFFER;
}

#endif
