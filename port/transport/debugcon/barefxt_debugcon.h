/* Transport: the debug console of PC emulators, a port that takes a byte at once. QEMU has it with
 * -debugcon file:trace.bin; Bochs with port_e9_hack: enabled=1 in its configuration.
 *
 *     barefxt_debugcon console = {BAREFXT_DEBUGCON_PORT};
 *     if (!barefxt_debugcon_is_there(&console)) ...;
 *     barefxt_writer writer = {barefxt_debugcon_write, &console};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 */
#ifndef BAREFXT_DEBUGCON_H
#define BAREFXT_DEBUGCON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BAREFXT_DEBUGCON_PORT = 0xe9 };

typedef struct barefxt_debugcon {
  uint16_t port;
} barefxt_debugcon;

/* Its port, at any address, reads as 0xe9; without a device a port reads as 0xff. */
static inline bool barefxt_debugcon_is_there(const barefxt_debugcon* console) {
  uint8_t value;
  __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(console->port));
  return value == 0xe9;
}

static inline void barefxt_debugcon_write(void* context, const uint8_t* bytes, size_t count) {
  const uint16_t port = ((const barefxt_debugcon*)context)->port;
  __asm__ volatile("rep outsb" : "+S"(bytes), "+c"(count) : "d"(port) : "memory");
}

#endif
