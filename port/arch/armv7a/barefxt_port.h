/* Port to ARMv7-A at PL1 with the generic timer: Cortex-A7, A15, A17, and A53 and later in their
 * 32-bit state. Code may be A32 or T32.
 *
 * The kernel provides normal cacheable memory and a running MMU wherever records are written
 * (otherwise exclusives may fault or never succeed; barefxt_start returns
 * BAREFXT_ERROR_MMU_OFF), and CLREX at every switch of threads and every return
 * from an exception: nothing clears the monitor by itself.
 *
 * The owner of a chip may define, for the whole image, assembler sources included:
 *
 * BAREFXT_ARMV7A_AFFINITY_SHIFT: where in MPIDR the CPU's number begins: 8 or 16 where a higher
 * affinity level numbers them, as Cortex-A55 and later do. Or BAREFXT_ARMV7A_CPU, an expression
 * that is the number, from 0.
 *
 * BAREFXT_ARMV7A_PHYSICAL_COUNTER: 1 for CNTPCT instead of CNTVCT, whose offset (CNTVOFF) some
 * firmware leaves as it is at reset, another on each CPU. EL2 may refuse CNTPCT (CNTHCTL).
 *
 * BAREFXT_ARMV7A_COUNTER_READ: an expression instead, such as the call of a function that reads
 * another counter of 64 bits, and BAREFXT_ARMV7A_COUNTER_FLAGS, if it differs from the usual ones.
 *
 * BAREFXT_ARMV7A_COUNTER_TWICE: for chips that sometimes read a wrong value (Cortex-A73 858921,
 * HiSilicon 161010101, NXP A-008585): the counter is read until two reads in a row lie less than
 * that many ticks apart, 32 say. BAREFXT_ARMV7A_COUNTER_EDGE, beside it, refuses values with that
 * many lower bits all 0 or all 1: 9 for Allwinner A64, which reads them wrong twice in a row.
 *
 * BAREFXT_ARMV7A_FREQUENCY: the ticks per second, where firmware left CNTFRQ wrong.
 *
 * BAREFXT_ARMV7A_HEADER: a header with what these expressions call.
 */
#ifndef BAREFXT_PORT_H
#define BAREFXT_PORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef BAREFXT_ARMV7A_HEADER
#include BAREFXT_ARMV7A_HEADER
#endif

/* Number of this CPU, from 0: Aff0, as on machines with one cluster. */
#ifdef BAREFXT_ARMV7A_CPU
static inline uint32_t barefxt_port_cpu(void) { return (uint32_t)(BAREFXT_ARMV7A_CPU); }
#else
#ifndef BAREFXT_ARMV7A_AFFINITY_SHIFT
#define BAREFXT_ARMV7A_AFFINITY_SHIFT 0
#endif
static inline uint32_t barefxt_port_cpu(void) {
  uint32_t mpidr;
  __asm__ volatile("mrc p15, 0, %0, c0, c0, 5" : "=r"(mpidr));
  return (mpidr >> BAREFXT_ARMV7A_AFFINITY_SHIFT) & 0xff;
}
#endif

#ifndef BAREFXT_ARMV7A_PHYSICAL_COUNTER
#define BAREFXT_ARMV7A_PHYSICAL_COUNTER 0
#endif
/* The counter, both halves at once. Read in order: ISB keeps the read behind every branch
 * that came before it. If such a branch depends on a load, the read so comes behind that load. */
static inline uint64_t barefxt_port_read_counter_(void) {
#ifdef BAREFXT_ARMV7A_COUNTER_READ
  __asm__ volatile("isb" : : : "memory");
  return BAREFXT_ARMV7A_COUNTER_READ;
#else
  uint64_t ticks; /* in a pair of registers, for STRD */
#if BAREFXT_ARMV7A_PHYSICAL_COUNTER
  __asm__ volatile("isb\n\tmrrc p15, 0, %Q0, %R0, c14" : "=r"(ticks) : : "memory");
#else
  __asm__ volatile("isb\n\tmrrc p15, 1, %Q0, %R0, c14" : "=r"(ticks) : : "memory");
#endif
  return ticks;
#endif
}

#ifdef BAREFXT_ARMV7A_COUNTER_TWICE
/* Bounded: a counter that is wrong each time is taken as it is. */
static inline uint64_t barefxt_port_counter(void) {
  uint64_t before = barefxt_port_read_counter_();
  for (uint32_t left = 64; left != 0; --left) {
    const uint64_t ticks = barefxt_port_read_counter_();
    const int is_near = ticks - before < (uint64_t)(BAREFXT_ARMV7A_COUNTER_TWICE);
#ifdef BAREFXT_ARMV7A_COUNTER_EDGE
    const uint32_t edge = ((uint32_t)1 << (BAREFXT_ARMV7A_COUNTER_EDGE)) - 1;
    if (is_near && (((uint32_t)ticks + 1) & edge) > 1) return ticks;
#else
    if (is_near) return ticks;
#endif
    before = ticks;
  }
  return before;
}
#else
static inline uint64_t barefxt_port_counter(void) { return barefxt_port_read_counter_(); }
#endif

#ifdef BAREFXT_ARMV7A_FREQUENCY
static inline uint64_t barefxt_port_counter_frequency(void) { return BAREFXT_ARMV7A_FREQUENCY; }
#else
static inline uint64_t barefxt_port_counter_frequency(void) {
  uint32_t hertz;
  __asm__ volatile("mrc p15, 0, %0, c14, c0, 0" : "=r"(hertz));
  return hertz;
}
#endif

/* wire::CounterFlags: constant rate, nonstop, system-wide. */
#ifdef BAREFXT_ARMV7A_COUNTER_FLAGS
#define BAREFXT_PORT_COUNTER_FLAGS BAREFXT_ARMV7A_COUNTER_FLAGS
#else
#define BAREFXT_PORT_COUNTER_FLAGS 7
#endif

/* The runtime reserves a record between the two, with the counter's ISB and loads of its own in
 * between. The architecture permits a monitor that these clear; each record would take the long way
 * then. No core we know has one: its monitor watches the word's cache line. */
#define BAREFXT_PORT_EXCLUSIVES 1
static inline uintptr_t barefxt_port_load_exclusive(const uintptr_t* word) {
  uintptr_t value;
  __asm__ volatile("ldrex %0, %1" : "=r"(value) : "Q"(*word) : "memory");
  return value;
}
/* Zero: the word was not stored. */
static inline int barefxt_port_store_exclusive(uintptr_t* word, uintptr_t value) {
  uint32_t failed;
  __asm__ volatile("strex %0, %2, %1" : "=&r"(failed), "=Q"(*word) : "r"(value) : "memory");
  return failed == 0;
}

/* With a plain load and a barrier in between. */
#define BAREFXT_PORT_LINKED 1
#define barefxt_port_load_linked barefxt_port_load_exclusive
#define barefxt_port_store_conditional barefxt_port_store_exclusive

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

/* Nonzero: the MMU and the data cache are on. Otherwise no memory is write-back cacheable, and an
 * exclusive store to other memory may fault, or never succeed (Arm ARM, "Exclusive access
 * instructions"). Some chips' interconnects support it. */
#define BAREFXT_PORT_CACHES_ARE_ON 1
static inline int barefxt_port_caches_are_on(void) {
  const uint32_t mmu_and_cache = 5; /* SCTLR.M and .C */
  uint32_t control;
  __asm__ volatile("mrc p15, 0, %0, c1, c0, 0" : "=r"(control));
  return (control & mmu_and_cache) == mmu_and_cache;
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

/* Frames of A32 code with frame pointers, for barefxt_sample: the places of both addresses, in
 * words from r11. Compilers differ. */
#ifdef __clang__
#define BAREFXT_PORT_FRAME_CALLER 0
#define BAREFXT_PORT_FRAME_RETURN 1
#else
#define BAREFXT_PORT_FRAME_CALLER (-1)
#define BAREFXT_PORT_FRAME_RETURN 0
/* A function without calls saves the caller's r11 alone, in the place of the return address. */
#define BAREFXT_PORT_FRAME_OF_LEAF 1
#endif

#endif
