/* Port to m68k with one CPU that has CAS: 68020, 68030, 68040, 68060, not ColdFire.
 *
 * The CPU has no counter, so the kernel chooses the machine's, for the whole image:
 *   BAREFXT_M68K_COUNTER        the address of a free-running register of 32 bits
 *   BAREFXT_M68K_FREQUENCY      its ticks per second, an expression
 *   BAREFXT_M68K_COUNTER_FLAGS  as BAREFXT_PORT_COUNTER_FLAGS, if it is not of constant rate, or
 *                               stops
 * The default is the real-time clock of QEMU's virt machine, in nanoseconds.
 *
 * The kernel provides a call of barefxt_clock_tick() at least once in less than half the counter's
 * period. Writers run in supervisor mode, since opening a segment masks interrupts for a few
 * instructions. A switch of threads needs nothing: CAS cannot be interrupted in its middle.
 */
#ifndef BAREFXT_PORT_H
#define BAREFXT_PORT_H

#include <stddef.h>
#include <stdint.h>

#ifndef BAREFXT_M68K_COUNTER
#define BAREFXT_M68K_COUNTER 0xff006000
#define BAREFXT_M68K_FREQUENCY 1000000000
#endif
#ifndef BAREFXT_M68K_COUNTER_FLAGS
#define BAREFXT_M68K_COUNTER_FLAGS 7
#endif

#define BAREFXT_PORT_MAX_CPUS 1
static inline uint32_t barefxt_port_cpu(void) { return 0; }

/* wire::CounterFlags: 1 constant rate, 2 nonstop, 4 system-wide. */
#define BAREFXT_PORT_COUNTER_FLAGS BAREFXT_M68K_COUNTER_FLAGS
#define BAREFXT_PORT_COUNTER_BITS 32

/* In order: devices' pages are serialized. */
static inline uint64_t barefxt_port_counter(void) {
  return *(volatile const uint32_t*)BAREFXT_M68K_COUNTER;
}

static inline uint64_t barefxt_port_counter_frequency(void) { return BAREFXT_M68K_FREQUENCY; }

static inline uintptr_t barefxt_port_interrupt_save(void) {
  uint16_t status;
  __asm__ volatile("move.w %%sr, %0\n\tori.w #0x700, %%sr" : "=d"(status) : : "memory", "cc");
  return status;
}
static inline void barefxt_port_interrupt_restore(uintptr_t status) {
  __asm__ volatile("move.w %0, %%sr" : : "d"((uint16_t)status) : "memory", "cc");
}

/* The swap of a ring's position: the flags that CAS leaves decide at once. */
#define BAREFXT_PORT_SWAP 1
static inline int barefxt_port_swap(uintptr_t* word, uintptr_t before, uintptr_t next) {
  __asm__ goto("move.l %0, %%d1\n\tcas.l %%d1, %1, (%2)\n\tjne %l[lost]"
               :
               : "d"(before), "d"(next), "a"(word)
               : "d1", "cc", "memory"
               : lost);
  return 1;
lost:
  return 0;
}

/* Writes dirty lines of the range back to memory. Only 68040 and 68060 have such, and the
 * instruction. */
static inline void barefxt_port_clean_cache(const void* start, size_t bytes) {
#if defined(__mc68040__) || defined(__mc68060__)
  const uintptr_t line = 16;
  const uintptr_t end = (uintptr_t)start + bytes;
  for (uintptr_t address = (uintptr_t)start & ~(line - 1); address < end; address += line)
    __asm__ volatile("cpushl %%dc, (%0)" : : "a"(address) : "memory");
#else
  (void)start;
  (void)bytes;
  __asm__ volatile("" : : : "memory");
#endif
}

/* How a string's index, the 15-bit value of an absolute symbol, comes into register %0. */
#define BAREFXT_PORT_LOAD_INDEX(symbol) "move.l #" symbol ", %0"

/* And two of them, into [0 .. 15] and [16 .. 31] of a 32-bit register. */
#define BAREFXT_PORT_LOAD_INDEX_PAIR(category, name)            \
  "move.l #0x10000000, %0\n\t.reloc . - 2, R_68K_16, " category \
  "\n\t.reloc . - 4, "                                          \
  "R_68K_16, " name

/* Frames of code with frame pointers, for barefxt_sample: the places of both addresses, in words.
 * a6 points to the caller's, and the return address lies behind that. */
#define BAREFXT_PORT_FRAME_CALLER 0
#define BAREFXT_PORT_FRAME_RETURN 1

#endif
