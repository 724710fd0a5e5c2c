/* A lock between two CPUs by loads and stores alone, in place of a chip's hardware spinlock, which
 * QEMU has none of. If the test asks for it, an NMI interrupts its holder now and then. */
#ifndef LOCK_H
#define LOCK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
extern volatile uint32_t lock_wanted[2];
extern volatile uint32_t lock_turns;
/* ACTLR of a Cortex-M33 with EXTEXCLALL, which QEMU's reads as zero. */
extern volatile uint32_t lock_control;
#ifdef __cplusplus
}
#endif

static inline uint32_t lock_cpu(void) { return *(volatile const uint32_t*)0x5001f000; }

static inline uint32_t lock_try(void) {
  const uint32_t self = lock_cpu();
  lock_wanted[self] = 1;
  __asm__ volatile("dmb" : : : "memory");
  if (lock_wanted[1 - self] != 0) {
    lock_wanted[self] = 0;
    return 0;
  }
#ifdef NMI
  if (++lock_turns % 16 == 0) {
    *(volatile uint32_t*)0xe000ed04 = (uint32_t)1 << 31; /* ICSR: an NMI is pending */
    __asm__ volatile("dsb\n\tisb" : : : "memory");
  }
#endif
  return 1;
}
static inline void lock_release(void) { lock_wanted[lock_cpu()] = 0; }

#endif
