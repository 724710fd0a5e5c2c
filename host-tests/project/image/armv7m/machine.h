/* The README's kernel on Arm's MPS2 board with image AN385: its devices are CMSDK's. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

/* Timer 0, the counter of the trace, over all of its 32 bits; and the UART. */
static inline void machine_prepare(void) {
  volatile uint32_t* const timer = (volatile uint32_t*)0x40000000;
  volatile uint32_t* const uart = (volatile uint32_t*)0x40004000;
  timer[2] = 0xffffffff; /* RELOAD */
  timer[1] = 0xffffffff; /* VALUE */
  timer[0] = 1;          /* CTRL: enable */
  uart[4] = 16;          /* BAUDDIV, the least there is */
  uart[2] = 1;           /* CTRL: send */
}

static inline void machine_put(uint8_t byte) {
  volatile uint32_t* const uart = (volatile uint32_t*)0x40004000;
  while ((uart[1] & 1) != 0) { /* STATE: the one place is taken */
  }
  uart[0] = byte;
}

#endif
