/* Port to x86-64 as a kernel would write it, for measuring the runtime in a process: what this CPU
 * is lies behind GS, where the process puts it, and the counter is the processor's. The port in
 * port/arch/host would be measured along with what lets a test choose the time and the CPU.
 */
#ifndef BAREFXT_PORT_H
#define BAREFXT_PORT_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t barefxt_port_cpu(void) {
  uint32_t cpu;
  __asm__ volatile("movl %%gs:0, %0" : "=r"(cpu));
  return cpu;
}

static inline uint64_t barefxt_port_counter(void) {
  uint64_t low; /* the instruction clears the upper halves */
  uint64_t high;
  __asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
  return high << 32 | low;
}

/* Any value: times are not converted here. */
static inline uint64_t barefxt_port_counter_frequency(void) { return 1000000000; }

#define BAREFXT_PORT_COUNTER_FLAGS 7

static inline uintptr_t barefxt_port_interrupt_save(void) { return 0; }
static inline void barefxt_port_interrupt_restore(uintptr_t state) { (void)state; }
static inline void barefxt_port_clean_cache(const void* start, size_t bytes) {
  (void)start;
  (void)bytes;
}

#define BAREFXT_PORT_LOAD_INDEX(symbol) "movl $" symbol ", %k0"
#define BAREFXT_PORT_LOAD_INDICES(category, name) \
  "movabsq $0, %q0\n\t.reloc . - 4, R_X86_64_16, " category "\n\t.reloc . - 2, R_X86_64_16, " name

#endif
