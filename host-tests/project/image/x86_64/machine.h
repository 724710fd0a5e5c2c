/* The README's kernel on QEMU's q35 machine. */
#ifndef MACHINE_H
#define MACHINE_H

#include <barefxt_port.h>

/* The port needs the counter's rate: about that of QEMU's. */
static inline void machine_prepare(void) { barefxt_x86_64_tsc_hertz = 1000000000; }

/* The 16550's data register, which never blocks there. */
static inline void machine_put(uint8_t byte) {
  __asm__ volatile("outb %0, %1" : : "a"(byte), "d"((uint16_t)0x3f8) : "memory");
}

#endif
