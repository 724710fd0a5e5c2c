/* Expressions of a chip's owner: a CPU's number that no session has room for, and a counter with
 * faults as chips have them. */
#ifndef OWNER_H
#define OWNER_H

#include <stdint.h>

static inline uint32_t owner_cpu(void) { return 1; }

static inline uint64_t owner_counter(void) {
#ifdef __aarch64__
  uint64_t ticks;
  __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
#else
  uint32_t low;
  uint32_t high;
  __asm__ volatile("isb\n\tmrrc p15, 1, %0, %1, c14" : "=r"(low), "=r"(high) : : "memory");
  const uint64_t ticks = (uint64_t)high << 32 | low;
#endif
  return ticks;
}

/* Some reads have the upper half of the next tick, or the lower bits of one before. */
static inline uint64_t owner_faulty_counter(void) {
  static uint32_t reads;
  const uint64_t ticks = owner_counter();
  ++reads;
  if (reads % 3 == 0) return ticks + ((uint64_t)1 << 32);
  return reads % 7 == 0 ? ticks - 0x800 : ticks;
}

/* Two reads in a row out of four are wrong alike, with all of the lower 9 bits set. */
static inline uint64_t owner_counter_with_edges(void) {
  static uint32_t reads;
  const uint64_t ticks = owner_counter();
  ++reads;
  return reads % 4 < 2 ? (ticks - 0x100000) | 0x1ff : ticks;
}

#endif
