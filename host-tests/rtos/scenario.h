/* A scenario that runs in QEMU with the hooks of a kernel: a stand-in for the kernel that takes
 * its next step by chance, and counts for itself what the trace shall show. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include <stdint.h>

struct scenario_counts {
  uint32_t switches;
  uint32_t ticks;
  uint32_t receives;
  uint32_t sends;
  uint32_t overruns; /* of jobs, where the kernel has such */
  uint32_t blocks;   /* allocated, where the kernel's heaps are recorded */
};

/* Tasks that are there before recording begins. */
void scenario_prepare(void);
/* Another thread, and back, by call and return. */
void scenario_switch_away_and_back(void);
void scenario_run(uint32_t steps, struct scenario_counts* counts);

/* The same numbers on every machine. */
static inline uint32_t scenario_random(uint32_t below) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return (state >> 16) % below;
}

#endif
