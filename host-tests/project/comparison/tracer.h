/* One tracer, as the programs see it that count what its records take: cortex_m3.c and x86_64.c. */
#ifndef TRACER_H
#define TRACER_H

#include <stdint.h>

struct operation {
  const char* name;
  void (*run)(void);
};

/* Ends with a name that is null. */
extern const struct operation tracer_operations[];
/* Ready to record, with room for all that is counted. Returns 0 if it is not. */
int tracer_start(void);
/* How much of the tracer's memory records have taken so far. */
uint32_t tracer_bytes(void);

/* Timer 0 of QEMU's machine mps2-an385, which counts 25 million times in a second, downwards. */
#define COMPARISON_TIMER (*(volatile const uint32_t*)0x40000004)
#define COMPARISON_HERTZ 25000000u

#endif
