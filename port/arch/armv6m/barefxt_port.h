/* Port to ARMv6-M: Cortex-M0, M0+, M1; one CPU, or several such as RP2040's two.
 *
 * It has no compare-and-swap: the runtime masks interrupts around a reservation, or another
 * read-modify-write. PRIMASK masks neither NMI nor HardFault: their handlers must not record. The
 * port does not detect it if they do, with one CPU. A flag that shows an open window would add two
 * instructions to each record. The number of the exception alone proves nothing, since
 * barefxt_crash is for such handlers: it does not return into the window. With several CPUs such a
 * record finds the window open or the spinlock taken, and is dropped. Code that runs unprivileged
 * (M0+) masks nothing, so it may record only through a call of the kernel.
 *
 * BAREFXT_ARMV6M_CPU_NUMBER: with several CPUs, the address of a register in which each finds its
 * number, from 0; on RP2040 0xd0000000 (SIO's CPUID). If not defined: there is one CPU.
 *
 * BAREFXT_ARMV6M_SPINLOCK: with several CPUs, the address of a hardware spinlock that nothing else
 * uses. A read takes it, or returns 0; a write releases it. On RP2040 0xd0000100 and 4 for each
 * number: claim a spinlock by spin_lock_claim_unused, or one number for good by spin_lock_claim. It
 * is free when recording starts, also after a reset of the CPUs alone. For a lock of another kind
 * define BAREFXT_ARMV6M_TRY_LOCK, an expression that takes it or returns 0, and
 * BAREFXT_ARMV6M_UNLOCK, one that releases it, in the header that BAREFXT_ARMV6M_HEADER names.
 *
 * The counter depends on the chip, so the kernel chooses it, for the whole image:
 *
 * BAREFXT_ARMV6M_COUNTER: the address of a free-running register. If not defined: SysTick. The
 * kernel then sets it to reload 0xffffff, and enables it from the CPU's clock and without its
 * interrupt; it cannot be the kernel's tick. For a timer that has to be captured before it
 * can be read, as those of nRF51, give an expression: the call of a function that captures and
 * returns the address, declared in the header that BAREFXT_ARMV6M_HEADER names.
 *
 * BAREFXT_ARMV6M_SYSTICK_PERIOD: SysTick is the counter and the kernel's tick as well, with that
 * many ticks in between: its reload value and one. Only this port may read SysTick's control
 * register then, which clears the flag of a wrap; so not under a kernel that stops its tick.
 *
 * BAREFXT_ARMV6M_COUNTER_BITS: its number of bits, 16 to 32; 24 for SysTick.
 *
 * BAREFXT_ARMV6M_COUNTS_DOWN: 1 if it counts down, as SysTick does.
 *
 * BAREFXT_ARMV6M_FREQUENCY: its ticks per second, an expression; SystemCoreClock may be declared in
 * the header that BAREFXT_ARMV6M_HEADER names.
 *
 * BAREFXT_ARMV6M_COUNTER_FLAGS: as BAREFXT_PORT_COUNTER_FLAGS. If not defined: of constant rate,
 * never stops. (SysTick stands still if a chip stops its clock in deep sleep: define 4 then.)
 *
 * The kernel provides a call of barefxt_clock_tick() at least once in less than half the counter's
 * period, which is half a second for SysTick at 16 MHz. It links the compiler's helpers for
 * operations that the CPU has no instruction for (multiplying and shifting 64 bits), which are in
 * its libgcc. It also links memcpy and memset if a probe has texts or many arguments, because
 * compilers for this CPU call them. Switches of threads need nothing.
 */
#ifndef BAREFXT_PORT_H
#define BAREFXT_PORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef BAREFXT_ARMV6M_HEADER
#include BAREFXT_ARMV6M_HEADER
#endif

#ifdef BAREFXT_ARMV6M_CPU_NUMBER
static inline uint32_t barefxt_port_cpu(void) {
  return *(volatile const uint32_t*)BAREFXT_ARMV6M_CPU_NUMBER;
}
#ifndef BAREFXT_ARMV6M_COUNTER
#error "barefxt: each CPU has its own SysTick: name another counter, BAREFXT_ARMV6M_COUNTER"
#endif
#else
#define BAREFXT_PORT_MAX_CPUS 1
static inline uint32_t barefxt_port_cpu(void) { return 0; }
#endif

/* Without orders: the runtime adds them. */
#ifdef BAREFXT_ARMV6M_SPINLOCK
#define BAREFXT_ARMV6M_TRY_LOCK (*(volatile uint32_t*)BAREFXT_ARMV6M_SPINLOCK)
#define BAREFXT_ARMV6M_UNLOCK (*(volatile uint32_t*)BAREFXT_ARMV6M_SPINLOCK = 1)
#endif
#if defined(BAREFXT_ARMV6M_CPU_NUMBER) && defined(BAREFXT_ARMV6M_TRY_LOCK)
#define BAREFXT_PORT_LOCK 1
static inline uint32_t barefxt_port_try_lock(void) { return BAREFXT_ARMV6M_TRY_LOCK; }
static inline void barefxt_port_unlock(void) { BAREFXT_ARMV6M_UNLOCK; }
#endif

#if defined(BAREFXT_ARMV6M_SYSTICK_PERIOD)
#define BAREFXT_ARMV6M_COUNTER_BITS 32
#elif !defined(BAREFXT_ARMV6M_COUNTER)
#define BAREFXT_ARMV6M_COUNTER 0xe000e018 /* SYST_CVR */
#define BAREFXT_ARMV6M_COUNTER_BITS 24
#define BAREFXT_ARMV6M_COUNTS_DOWN 1
#endif

/* wire::CounterFlags: 1 constant rate, 2 nonstop, 4 system-wide. */
#ifdef BAREFXT_ARMV6M_COUNTER_FLAGS
#define BAREFXT_PORT_COUNTER_FLAGS BAREFXT_ARMV6M_COUNTER_FLAGS
#else
#define BAREFXT_PORT_COUNTER_FLAGS 7
#endif
#define BAREFXT_PORT_COUNTER_BITS BAREFXT_ARMV6M_COUNTER_BITS

#ifdef BAREFXT_ARMV6M_SYSTICK_PERIOD
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
  const uint32_t period = BAREFXT_ARMV6M_SYSTICK_PERIOD;
  return (uint32_t)(wraps * period + (value == 0 ? 0 : period - value));
}
#else
/* In order: these CPUs do one thing after the other. */
static inline uint64_t barefxt_port_counter(void) {
  const uint32_t ticks = *(volatile const uint32_t*)BAREFXT_ARMV6M_COUNTER;
#if defined(BAREFXT_ARMV6M_COUNTS_DOWN) && BAREFXT_ARMV6M_COUNTS_DOWN
  return (uint32_t)~ticks & (0xffffffffu >> (32 - BAREFXT_ARMV6M_COUNTER_BITS));
#else
  return ticks;
#endif
}
#endif

static inline uint64_t barefxt_port_counter_frequency(void) { return BAREFXT_ARMV6M_FREQUENCY; }

static inline uintptr_t barefxt_port_interrupt_save(void) {
  uintptr_t primask;
  __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask) : : "memory");
  return primask;
}
static inline void barefxt_port_interrupt_restore(uintptr_t primask) {
  __asm__ volatile("msr primask, %0" : : "r"(primask) : "memory");
}

/* These CPUs have no caches. */
static inline void barefxt_port_clean_cache(const void* start, size_t bytes) {
  (void)start;
  (void)bytes;
  __asm__ volatile("dsb" : : : "memory");
}

/* How a string's index, the value of an absolute symbol, comes into register %0, one of the lower
 * eight. A literal with a branch around it: one at the end of the function may be out of reach, and
 * to make the value of two immediates changes the flags and takes more. */
#define BAREFXT_PORT_INDEX_REGISTER "=l"
#define BAREFXT_PORT_LOAD_INDEX(symbol) \
  "ldr %0, 1f\n\tb 2f\n\t.balign 4\n1:\n\t.word " symbol "\n2:"

/* And two of them into its halves. LLVM's linker has no relocation of 16 bits, so two of 32 bits
 * overlap. The second lies one halfword on: it replaces the upper half of the first, which is 0,
 * and leaves the lower half alone. Clang drops the offset of a symbol that is local, as those of C
 * are. */
#if defined(__cplusplus) || !defined(__clang__)
#define BAREFXT_PORT_LOAD_INDEX_PAIR(category, name)                                           \
  "ldr %0, 1f\n\tb 2f\n\t.balign 4\n1:\n\t.short 0, 0, 0\n\t.reloc 1b, R_ARM_ABS32, " category \
  "\n\t.reloc 1b + 2, R_ARM_ABS32, " name "\n2:"
#endif

/* Frames of code with frame pointers, for barefxt_sample: the places of both addresses, in words
 * from r7. GCC's Thumb code has no chain of frames: samples are addresses alone. */
#ifdef __clang__
#define BAREFXT_PORT_FRAME_CALLER 0
#define BAREFXT_PORT_FRAME_RETURN 1
#endif

#endif
