/* Port to ARMv7-A at PL1 with the generic timer: Cortex-A7, A15, A17, and A53 and later in their
 * 32-bit state. Code may be A32 or T32.
 *
 * The kernel provides normal cacheable memory and a running MMU wherever records are written
 * (otherwise exclusives may never succeed), and CLREX at every switch of threads and every return
 * from an exception: nothing clears the monitor by itself.
 */
#ifndef BAREFXT_PORT_H
#define BAREFXT_PORT_H

#include <stddef.h>
#include <stdint.h>

/* Number of this CPU, from 0. Aff0, as on machines with one cluster; machines that number their
 * CPUs by a higher affinity level set the shift to 8 or 16. */
#ifndef BAREFXT_ARMV7A_AFFINITY_SHIFT
#define BAREFXT_ARMV7A_AFFINITY_SHIFT 0
#endif
static inline uint32_t barefxt_port_cpu(void) {
  uint32_t mpidr;
  __asm__ volatile("mrc p15, 0, %0, c0, c0, 5" : "=r"(mpidr));
  return (mpidr >> BAREFXT_ARMV7A_AFFINITY_SHIFT) & 0xff;
}

/* The virtual counter, both halves at once. Read in order: ISB keeps the read behind every branch
 * that came before it. If such a branch depends on a load, the read so comes behind that load. */
static inline uint64_t barefxt_port_counter(void) {
  uint32_t low;
  uint32_t high;
  __asm__ volatile("isb\n\tmrrc p15, 1, %0, %1, c14" : "=r"(low), "=r"(high) : : "memory");
  return (uint64_t)high << 32 | low;
}

static inline uint64_t barefxt_port_counter_frequency(void) {
  uint32_t hertz;
  __asm__ volatile("mrc p15, 0, %0, c14, c0, 0" : "=r"(hertz));
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
  __asm__ volatile("ldrex %0, %1" : "=r"(value) : "Q"(*word) : "memory");
}
static inline int barefxt_port_monitor_probe_end(uint32_t* word) {
  uint32_t failed;
  __asm__ volatile("strex %0, %2, %1" : "=&r"(failed), "=Q"(*word) : "r"(0) : "memory");
  return (int)failed;
}

/* Masks IRQ and FIQ; gives back what restore needs. Not used by the runtime on this machine, which
 * has compare-and-swap, but part of every port. */
static inline uintptr_t barefxt_port_interrupt_save(void) {
  uintptr_t status;
  __asm__ volatile("mrs %0, cpsr\n\tcpsid if" : "=r"(status) : : "memory");
  return status;
}
static inline void barefxt_port_interrupt_restore(uintptr_t status) {
  __asm__ volatile("msr cpsr_c, %0" : : "r"(status) : "memory");
}

/* Writes dirty lines of the range back to memory, for debuggers and for what survives a reset. */
static inline void barefxt_port_clean_cache(const void* start, size_t bytes) {
  uint32_t type;
  __asm__ volatile("mrc p15, 0, %0, c0, c0, 1" : "=r"(type));
  const uintptr_t line = (uintptr_t)4 << ((type >> 16) & 0xf);
  const uintptr_t end = (uintptr_t)start + bytes;
  for (uintptr_t address = (uintptr_t)start & ~(line - 1); address < end; address += line)
    __asm__ volatile("mcr p15, 0, %0, c7, c10, 1" : : "r"(address) : "memory"); /* DCCMVAC */
  __asm__ volatile("dsb sy" : : : "memory");
}

/* How a string's index, the 16-bit value of an absolute symbol, comes into register %0. Not two of
 * them at once: no relocation that every linker knows puts the lower half of a value into MOVT. */
#define BAREFXT_PORT_LOAD_INDEX(symbol) "movw %0, #:lower16:" symbol

#endif
