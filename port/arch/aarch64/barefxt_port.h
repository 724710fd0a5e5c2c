/* Port to AArch64 at EL1 with the generic timer.
 *
 * The kernel provides normal cacheable memory and a running MMU wherever records are written
 * (otherwise exclusives may fault or never succeed; barefxt_start returns
 * BAREFXT_ERROR_MMU_OFF), and CLREX or an exception return at every switch of
 * threads (ERET clears the monitor by itself).
 *
 * The owner of a chip may define, for the whole image, assembler sources included:
 *
 * BAREFXT_AARCH64_AFFINITY_SHIFT: where in MPIDR the CPU's number begins: 8 or 16 where a higher
 * affinity level numbers them, as Cortex-A55 and later do. Or BAREFXT_AARCH64_CPU, an expression
 * that is the number, from 0.
 *
 * BAREFXT_AARCH64_PHYSICAL_COUNTER: 1 for CNTPCT instead of CNTVCT, whose offset (CNTVOFF) some
 * firmware leaves as it is at reset, another on each CPU. EL2 may refuse CNTPCT (CNTHCTL).
 *
 * BAREFXT_AARCH64_COUNTER_READ: an expression instead, such as the call of a function that reads
 * another counter of 64 bits, and BAREFXT_AARCH64_COUNTER_FLAGS, if it differs from the usual ones.
 *
 * BAREFXT_AARCH64_COUNTER_TWICE: for chips that sometimes read a wrong value (Cortex-A73 858921,
 * HiSilicon 161010101, NXP A-008585): the counter is read until two reads in a row lie less than
 * that many ticks apart, 32 say. BAREFXT_AARCH64_COUNTER_EDGE, beside it, refuses values with that
 * many lower bits all 0 or all 1: 9 for Allwinner A64, which reads them wrong twice in a row.
 *
 * BAREFXT_AARCH64_FREQUENCY: the ticks per second, where firmware left CNTFRQ wrong.
 *
 * BAREFXT_AARCH64_RING_REGISTER: a system register that points to memory of this CPU alone, such as
 * tpidr_el1. The kernel stores the address of the CPU's ring (barefxt_ring) there, at the offset
 * BAREFXT_AARCH64_RING_OFFSET (by default 0), before the CPU records. A record then takes up to two
 * instructions less.
 *
 * BAREFXT_AARCH64_HEADER: a header with what these expressions call.
 */
#ifndef BAREFXT_PORT_H
#define BAREFXT_PORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef BAREFXT_AARCH64_HEADER
#include BAREFXT_AARCH64_HEADER
#endif

/* Number of this CPU, from 0: Aff0, as on machines with one cluster. */
#ifdef BAREFXT_AARCH64_CPU
static inline uint32_t barefxt_port_cpu(void) { return (uint32_t)(BAREFXT_AARCH64_CPU); }
#else
#ifndef BAREFXT_AARCH64_AFFINITY_SHIFT
#define BAREFXT_AARCH64_AFFINITY_SHIFT 0
#endif
static inline uint32_t barefxt_port_cpu(void) {
  uint64_t mpidr;
  __asm__ volatile("mrs %0, mpidr_el1" : "=r"(mpidr));
  return (uint32_t)(mpidr >> BAREFXT_AARCH64_AFFINITY_SHIFT) & 0xff;
}
#endif

#ifdef BAREFXT_AARCH64_RING_REGISTER
#ifndef BAREFXT_AARCH64_RING_OFFSET
#define BAREFXT_AARCH64_RING_OFFSET 0
#endif
#define BAREFXT_AARCH64_TEXT_(name) #name
#define BAREFXT_AARCH64_NAME_(name) BAREFXT_AARCH64_TEXT_(name)
#define BAREFXT_PORT_RING 1
static inline uintptr_t barefxt_port_own(void) {
  uintptr_t own;
  __asm__ volatile("mrs %0, " BAREFXT_AARCH64_NAME_(BAREFXT_AARCH64_RING_REGISTER) : "=r"(own));
  return own;
}
static inline void* barefxt_port_ring(uintptr_t own) {
  return *(void* volatile*)(own + BAREFXT_AARCH64_RING_OFFSET);
}
static inline int barefxt_port_is_own(uintptr_t own) { return barefxt_port_own() == own; }
#endif

#ifndef BAREFXT_AARCH64_PHYSICAL_COUNTER
#define BAREFXT_AARCH64_PHYSICAL_COUNTER 0
#endif
/* The counter. Read in order: ISB keeps the read behind every branch that came before it.
 * If such a branch depends on a load, the read so comes behind that load. */
static inline uint64_t barefxt_port_read_counter_(void) {
#ifdef BAREFXT_AARCH64_COUNTER_READ
  __asm__ volatile("isb" : : : "memory");
  return BAREFXT_AARCH64_COUNTER_READ;
#else
  uint64_t ticks;
#if BAREFXT_AARCH64_PHYSICAL_COUNTER
  __asm__ volatile("isb\n\tmrs %0, cntpct_el0" : "=r"(ticks) : : "memory");
#else
  __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
#endif
  return ticks;
#endif
}

#ifdef BAREFXT_AARCH64_COUNTER_TWICE
/* Bounded: a counter that is wrong each time is taken as it is. */
static inline uint64_t barefxt_port_counter(void) {
  uint64_t before = barefxt_port_read_counter_();
  for (uint32_t left = 64; left != 0; --left) {
    const uint64_t ticks = barefxt_port_read_counter_();
    const int is_near = ticks - before < (uint64_t)(BAREFXT_AARCH64_COUNTER_TWICE);
#ifdef BAREFXT_AARCH64_COUNTER_EDGE
    const uint32_t edge = ((uint32_t)1 << (BAREFXT_AARCH64_COUNTER_EDGE)) - 1;
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

#ifdef BAREFXT_AARCH64_FREQUENCY
static inline uint64_t barefxt_port_counter_frequency(void) { return BAREFXT_AARCH64_FREQUENCY; }
#else
static inline uint64_t barefxt_port_counter_frequency(void) {
  uint64_t hertz;
  __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hertz));
  return hertz;
}
#endif

/* wire::CounterFlags: constant rate, nonstop, system-wide. */
#ifdef BAREFXT_AARCH64_COUNTER_FLAGS
#define BAREFXT_PORT_COUNTER_FLAGS BAREFXT_AARCH64_COUNTER_FLAGS
#else
#define BAREFXT_PORT_COUNTER_FLAGS 7
#endif

#ifndef __ARM_FEATURE_ATOMICS
/* The runtime reserves a record between the two, with the counter's ISB and loads of its own in
 * between. The architecture permits a monitor that these clear; each record would take the long way
 * then. No core we know has one: its monitor watches the word's cache line. */
#define BAREFXT_PORT_EXCLUSIVES 1
static inline uintptr_t barefxt_port_load_exclusive(const uintptr_t* word) {
  uintptr_t value;
  __asm__ volatile("ldxr %0, %1" : "=r"(value) : "Q"(*word) : "memory");
  return value;
}
/* Zero: the word was not stored. */
static inline int barefxt_port_store_exclusive(uintptr_t* word, uintptr_t value) {
  uint32_t failed;
  __asm__ volatile("stxr %w0, %2, %1" : "=&r"(failed), "=Q"(*word) : "r"(value) : "memory");
  return failed == 0;
}
#endif

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

/* Nonzero: the MMU and the data cache are on, at the exception level of the caller. Otherwise no
 * memory is write-back cacheable, and an exclusive store to other memory may fault, or never
 * succeed (Arm ARM, "Exclusive access instructions"). Some chips' interconnects support it. */
#define BAREFXT_PORT_CACHES_ARE_ON 1
static inline int barefxt_port_caches_are_on(void) {
  const uint64_t mmu_and_cache = 5; /* SCTLR_ELx.M and .C */
  uint64_t level;
  uint64_t control;
  __asm__ volatile("mrs %0, CurrentEL" : "=r"(level));
  if (level == 3 << 2)
    __asm__ volatile("mrs %0, sctlr_el3" : "=r"(control));
  else if (level == 2 << 2)
    __asm__ volatile("mrs %0, sctlr_el2" : "=r"(control));
  else
    __asm__ volatile("mrs %0, sctlr_el1" : "=r"(control));
  return (control & mmu_and_cache) == mmu_and_cache;
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

/* In position-independent code: the lower half-word of the 64-bit number at `symbol`. */
#ifdef __AARCH64EB__
#define BAREFXT_AARCH64_LOW_ " + 6"
#else
#define BAREFXT_AARCH64_LOW_ ""
#endif
#define BAREFXT_PORT_LOAD_NUMBER(symbol) \
  "adrp %x0, " symbol "\n\tldrh %w0, [%x0, #:lo12:" symbol BAREFXT_AARCH64_LOW_ "]"

/* Frames of code with frame pointers, for barefxt_sample: the places of both addresses, in words.
 * x29 points to the caller's, and the return address lies behind that. */
#define BAREFXT_PORT_FRAME_CALLER 0
#define BAREFXT_PORT_FRAME_RETURN 1

#endif
