/* Port to AArch64 at EL1 with the generic timer.
 *
 * The kernel provides normal cacheable memory and a running MMU wherever records are written
 * (otherwise exclusives may never succeed), and CLREX or an exception return at every switch of
 * threads (ERET clears the monitor by itself).
 */
#ifndef BAREFXT_PORT_H
#define BAREFXT_PORT_H

#include <stddef.h>
#include <stdint.h>

/* Number of this CPU, from 0. Aff0, as on machines with one cluster; machines that number their
 * CPUs by a higher affinity level set the shift to 8 or 16. */
#ifndef BAREFXT_AARCH64_AFFINITY_SHIFT
#define BAREFXT_AARCH64_AFFINITY_SHIFT 0
#endif
static inline uint32_t barefxt_port_cpu(void) {
  uint64_t mpidr;
  __asm__ volatile("mrs %0, mpidr_el1" : "=r"(mpidr));
  return (uint32_t)(mpidr >> BAREFXT_AARCH64_AFFINITY_SHIFT) & 0xff;
}

/* The virtual counter. Read in order: ISB keeps the read behind every branch that came before it.
 * If such a branch depends on a load, the read so comes behind that load. */
static inline uint64_t barefxt_port_counter(void) {
  uint64_t ticks;
  __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
  return ticks;
}

static inline uint64_t barefxt_port_counter_frequency(void) {
  uint64_t hertz;
  __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hertz));
  return hertz;
}

/* wire::CounterFlags: constant rate, nonstop, system-wide. */
#define BAREFXT_PORT_COUNTER_FLAGS 7

/* For a kernel to test its own switch of threads: begin, switch to another thread by call and
 * return, and back, end. Nonzero: the exclusive monitor was cleared on the way, as it must be, or
 * the CPU cleared it by itself, which it may. `word` lies in normal memory and is this test's
 * alone. */
#define BAREFXT_PORT_MONITOR_PROBE 1
static inline void barefxt_port_monitor_probe_begin(uint32_t* word) {
  uint32_t value;
  __asm__ volatile("ldxr %w0, %1" : "=r"(value) : "Q"(*word) : "memory");
}
static inline int barefxt_port_monitor_probe_end(uint32_t* word) {
  uint32_t failed;
  __asm__ volatile("stxr %w0, wzr, %1" : "=&r"(failed), "=Q"(*word) : : "memory");
  return (int)failed;
}

/* Masks IRQ and FIQ; gives back what restore needs. Not used by the runtime on this machine, which
 * has compare-and-swap, but part of every port. */
static inline uintptr_t barefxt_port_interrupt_save(void) {
  uintptr_t daif;
  __asm__ volatile("mrs %0, daif\n\tmsr daifset, #3" : "=r"(daif) : : "memory");
  return daif;
}
static inline void barefxt_port_interrupt_restore(uintptr_t daif) {
  __asm__ volatile("msr daif, %0" : : "r"(daif) : "memory");
}

/* Writes dirty lines of the range back to memory, for debuggers and for what survives a reset. */
static inline void barefxt_port_clean_cache(const void* start, size_t bytes) {
  uint64_t type;
  __asm__ volatile("mrs %0, ctr_el0" : "=r"(type));
  const uintptr_t line = (uintptr_t)4 << ((type >> 16) & 0xf);
  const uintptr_t end = (uintptr_t)start + bytes;
  for (uintptr_t address = (uintptr_t)start & ~(line - 1); address < end; address += line)
    __asm__ volatile("dc cvac, %0" : : "r"(address) : "memory");
  __asm__ volatile("dsb sy" : : : "memory");
}

/* How a string's index, the 16-bit value of an absolute symbol, comes into register %0. */
#define BAREFXT_PORT_LOAD_INDEX(symbol) "movz %w0, #:abs_g0:" symbol

/* And two of them, into [32 .. 47] and [48 .. 63]. The assembler's own notation has no low half for
 * a shifted move. */
#define BAREFXT_PORT_LOAD_INDICES(category, name)                            \
  "movz %x0, #0, lsl #32\n\t.reloc . - 4, R_AARCH64_MOVW_UABS_G0, " category \
  "\n\tmovk %x0, #0, lsl #48\n\t.reloc . - 4, R_AARCH64_MOVW_UABS_G0, " name

#endif
