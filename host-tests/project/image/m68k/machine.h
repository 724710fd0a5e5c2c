/* The README's kernel on QEMU's virt machine. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

static inline void machine_prepare(void) {}

/* The Goldfish line's first register, which never blocks. */
static inline void machine_put(uint8_t byte) { *(volatile uint32_t*)0xff008000 = byte; }

#endif
