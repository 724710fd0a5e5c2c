/* Port to ARMv7-M and ARMv8-M: Cortex-M3, M4, M7, M33, M55 and their kin.
 *
 * The counter depends on the chip, so the kernel chooses it, for the whole image:
 *
 * BAREFXT_ARMV7M_COUNTER: the address of a free-running register. For a timer that has to be
 * captured before it can be read, as those of nRF52, give an expression: the call of a function
 * that captures and returns the address, declared in the header that BAREFXT_ARMV7M_HEADER names.
 *
 * BAREFXT_ARMV7M_SYSTICK_PERIOD: SysTick is the counter and the kernel's tick as well, with that
 * many ticks in between: its reload value and one. Only this port may read SysTick's control
 * register then, which clears the flag of a wrap; so not under a kernel that stops its tick.
 * An NMI that interrupts such a read may see the time of a period ago.
 *
 * If neither is defined: DWT's cycle counter, which stands still while the CPU sleeps. Call
 * barefxt_armv7m_enable_cycle_counter() ahead of barefxt_start.
 *
 * BAREFXT_ARMV7M_COUNTER_BITS: the counter's number of bits, 16 to 32. If not defined: 32.
 *
 * BAREFXT_ARMV7M_COUNTS_DOWN: 1 if it counts down.
 *
 * BAREFXT_ARMV7M_FREQUENCY: its ticks per second, an expression; SystemCoreClock may be declared in
 * the header that BAREFXT_ARMV7M_HEADER names.
 *
 * BAREFXT_ARMV7M_COUNTER_FLAGS: as BAREFXT_PORT_COUNTER_FLAGS, if the register differs from the
 * default. By default a timer has a constant rate and never stops, and DWT's counter has neither
 * property.
 *
 * BAREFXT_ARMV7M_CPU_NUMBER: with several CPUs, the address of a register in which each finds its
 * number, from 0. If not defined: there is one CPU, or an image for each.
 *
 * ARMv8-M cores with such numbers (two M33, RP2350): a store by STREX excludes the other core only
 * if the memory is shareable, or ACTLR.EXTEXCLALL (bit 29) is set on each core. Otherwise each has
 * a monitor of its own, and both stores succeed: records are lost without a count. Either set that
 * bit on each core before barefxt_start, which returns BAREFXT_ERROR_STORES_NOT_SHARED without it;
 * or let an MPU region make all memory of the tracer shareable, and define
 * BAREFXT_ARMV7M_SHAREABLE to 1. barefxt_check_cpus tries it out. Cortex-M7 pairs have no common
 * monitor: build an image for each.
 *
 * BAREFXT_ARMV7M_COUNTER_STRIDE: if each CPU has a counter of its own, the number of bytes from one
 * CPU's counter to the next's. If not defined: they share one.
 *
 * The kernel provides a call of barefxt_clock_tick() at least once in less than half the counter's
 * period, and CLREX if it switches threads by call and return (entry and return of an exception
 * clear the monitor by themselves).
 */
#ifndef BAREFXT_PORT_H
#define BAREFXT_PORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef BAREFXT_ARMV7M_HEADER
#include BAREFXT_ARMV7M_HEADER
#endif

#ifdef BAREFXT_ARMV7M_CPU_NUMBER
static inline uint32_t barefxt_port_cpu(void) {
  return *(volatile const uint32_t*)BAREFXT_ARMV7M_CPU_NUMBER;
}
#else
#define BAREFXT_PORT_MAX_CPUS 1
static inline uint32_t barefxt_port_cpu(void) { return 0; }
#endif

#if !defined(BAREFXT_ARMV7M_COUNTER) && !defined(BAREFXT_ARMV7M_SYSTICK_PERIOD)
/* Tests have models of the two elsewhere. */
#ifndef BAREFXT_ARMV7M_DWT
#define BAREFXT_ARMV7M_DWT 0xe0001000
#define BAREFXT_ARMV7M_DEMCR 0xe000edfc
#endif
/* Enables DWT's cycle counter. Nonzero: it is enabled. Zero: this chip has none, or a debugger or
 * the secure state keeps it. The key opens Cortex-M7's lock; other cores ignore it. */
static inline int barefxt_armv7m_enable_cycle_counter(void) {
  volatile uint32_t* const dwt = (volatile uint32_t*)BAREFXT_ARMV7M_DWT;
  volatile uint32_t* const demcr = (volatile uint32_t*)BAREFXT_ARMV7M_DEMCR;
  const uint32_t trace_enable = (uint32_t)1 << 24;
  const uint32_t no_cycle_counter = (uint32_t)1 << 25;
  *demcr |= trace_enable;
  __asm__ volatile("dsb" : : : "memory");
  if ((dwt[0] & no_cycle_counter) != 0) return 0;
  dwt[0xfb0 / 4] = 0xc5acce55; /* LAR */
  dwt[0] |= 1;                 /* CTRL: CYCCNTENA */
  return (int)(dwt[0] & 1);
}
#endif

/* wire::CounterFlags: 1 constant rate, 2 nonstop, 4 system-wide. */
#if defined(BAREFXT_ARMV7M_COUNTER_STRIDE)
#define BAREFXT_ARMV7M_DEFAULT_FLAGS 3
#elif defined(BAREFXT_ARMV7M_COUNTER) || defined(BAREFXT_ARMV7M_SYSTICK_PERIOD)
#define BAREFXT_ARMV7M_DEFAULT_FLAGS 7
#else
#define BAREFXT_ARMV7M_COUNTER (BAREFXT_ARMV7M_DWT + 4) /* CYCCNT */
#define BAREFXT_ARMV7M_DEFAULT_FLAGS 4
#endif
#ifdef BAREFXT_ARMV7M_COUNTER_FLAGS
#define BAREFXT_PORT_COUNTER_FLAGS BAREFXT_ARMV7M_COUNTER_FLAGS
#else
#define BAREFXT_PORT_COUNTER_FLAGS BAREFXT_ARMV7M_DEFAULT_FLAGS
#endif
#ifndef BAREFXT_ARMV7M_COUNTER_BITS
#define BAREFXT_ARMV7M_COUNTER_BITS 32
#endif
#define BAREFXT_PORT_COUNTER_BITS BAREFXT_ARMV7M_COUNTER_BITS

#ifdef BAREFXT_ARMV7M_SYSTICK_PERIOD
#ifdef BAREFXT_ARMV7M_CPU_NUMBER
#error "barefxt: each CPU has its own SysTick: name another counter"
#endif
/* Wraps of SysTick that have been seen. */
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) uint32_t barefxt_port_systick_wraps;
#ifdef __cplusplus
}
#endif

/* Each wrap sets a flag, which the read of it clears: whoever sees it counts. Masked, since another
 * read would come in between. A value that is read ahead of a flag that is clear belongs to the
 * wraps that have been counted. The last value before the next period is 0, and comes with the
 * flag. */
static inline uint64_t barefxt_port_counter(void) {
  volatile const uint32_t* const systick = (volatile const uint32_t*)0xe000e010;
  const uint32_t has_wrapped = (uint32_t)1 << 16;
  uintptr_t primask;
  __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask) : : "memory");
  uint32_t value = systick[2];
  if ((systick[0] & has_wrapped) != 0) {
    ++barefxt_port_systick_wraps;
    value = systick[2];
  }
  const uint32_t wraps = barefxt_port_systick_wraps;
  __asm__ volatile("msr primask, %0" : : "r"(primask) : "memory");
  const uint32_t period = BAREFXT_ARMV7M_SYSTICK_PERIOD;
  return (uint32_t)(wraps * period + (value == 0 ? 0 : period - value));
}
#else
/* In order: a load from device memory is not made ahead of time. */
static inline uint64_t barefxt_port_counter(void) {
#ifdef BAREFXT_ARMV7M_COUNTER_STRIDE
  const uintptr_t offset = barefxt_port_cpu() * BAREFXT_ARMV7M_COUNTER_STRIDE;
#else
  const uintptr_t offset = 0;
#endif
  const uint32_t ticks = *(volatile const uint32_t*)((uintptr_t)BAREFXT_ARMV7M_COUNTER + offset);
#if defined(BAREFXT_ARMV7M_COUNTS_DOWN) && BAREFXT_ARMV7M_COUNTS_DOWN
  return (uint32_t)~ticks;
#else
  return ticks;
#endif
}
#endif

static inline uint64_t barefxt_port_counter_frequency(void) { return BAREFXT_ARMV7M_FREQUENCY; }

/* The runtime reserves a record between the two, with loads of its own in between: the monitor of
 * these CPUs does not watch addresses, only exceptions, CLREX and exclusive stores clear it. One
 * that other accesses clear, too, as the architecture permits, would make each record take the long
 * way. */
#define BAREFXT_PORT_EXCLUSIVES 1
static inline uintptr_t barefxt_port_load_exclusive(const uintptr_t* word) {
  uintptr_t value;
  __asm__ volatile("ldrex %0, %1" : "=r"(value) : "Q"(*word) : "memory");
  return value;
}
/* Zero: the word was not stored. */
static inline int barefxt_port_store_exclusive(uintptr_t* word, uintptr_t value) {
  uint32_t failed;
  /* In a low register: CBNZ, which tests and branches, takes no other. */
  __asm__ volatile("strex %0, %2, %1" : "=&l"(failed), "=Q"(*word) : "r"(value) : "memory");
  return failed == 0;
}

/* Nonzero: stores of several CPUs exclude each other, as far as this CPU's registers show it. */
#if defined(BAREFXT_ARMV7M_CPU_NUMBER) && \
    !(defined(BAREFXT_ARMV7M_SHAREABLE) && BAREFXT_ARMV7M_SHAREABLE)
/* A test has a model of the register elsewhere. */
#ifndef BAREFXT_ARMV7M_ACTLR
#define BAREFXT_ARMV7M_ACTLR 0xe000e008
#endif
#define BAREFXT_PORT_STORES_ARE_SHARED 1
static inline int barefxt_port_stores_are_shared(void) {
  const uint32_t external_exclusives_all = (uint32_t)1 << 29;
  return (*(volatile const uint32_t*)BAREFXT_ARMV7M_ACTLR & external_exclusives_all) != 0;
}
#endif

/* With a plain load in between. */
#define BAREFXT_PORT_LINKED 1
#define barefxt_port_load_linked barefxt_port_load_exclusive
#define barefxt_port_store_conditional barefxt_port_store_exclusive

/* For a kernel to test its own switch of threads: begin, switch to another thread by call and
 * return, and back, end. Nonzero: the exclusive monitor was cleared on the way, as it must be.
 * `word` is this test's alone. */
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

/* Not used by the runtime on this machine, which has compare-and-swap, but part of every port. */
static inline uintptr_t barefxt_port_interrupt_save(void) {
  uintptr_t primask;
  __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask) : : "memory");
  return primask;
}
static inline void barefxt_port_interrupt_restore(uintptr_t primask) {
  __asm__ volatile("msr primask, %0" : : "r"(primask) : "memory");
}

/* Writes dirty lines of the range back to memory. A Cortex-M3 never has a cache; on other cores
 * without one (M4, most M33) the register with its levels is 0. */
static inline void barefxt_port_clean_cache(const void* start, size_t bytes) {
#if defined(__ARM_ARCH_7M__)
  (void)start;
  (void)bytes;
#else
  volatile uint32_t* const clean_by_address = (volatile uint32_t*)0xe000ef68; /* DCCMVAC */
  const uint32_t cache_type = *(volatile const uint32_t*)0xe000ed7c;          /* CTR */
  const uint32_t cache_levels = *(volatile const uint32_t*)0xe000ed78;        /* CLIDR */
  const uint32_t line = (uint32_t)4 << ((cache_type >> 16) & 0xf);
  if ((cache_levels & 7) >= 2) {
    const uintptr_t end = (uintptr_t)start + bytes;
    uintptr_t address = (uintptr_t)start & ~(uintptr_t)(line - 1);
    __asm__ volatile("dsb" : : : "memory");
    for (; address < end; address += line) *clean_by_address = address;
  }
#endif
  __asm__ volatile("dsb" : : : "memory");
}

/* How a string's index, the 16-bit value of an absolute symbol, comes into register %0. Not two of
 * them at once: no relocation puts the lower half of a value into MOVT. (GNU's linker lets that of
 * MOVW be used there; LLVM's makes a MOVW of it in silence.) */
#define BAREFXT_PORT_LOAD_INDEX(symbol) "movw %0, #:lower16:" symbol

/* Frames of code with frame pointers, for barefxt_sample: the places of both addresses, in words
 * from r7. GCC's Thumb code has no chain of frames: samples are addresses alone. */
#ifdef __clang__
#define BAREFXT_PORT_FRAME_CALLER 0
#define BAREFXT_PORT_FRAME_RETURN 1
#endif

#endif
