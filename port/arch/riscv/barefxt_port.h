/* Port to RISC-V of 32 and 64 bits, in machine or supervisor mode.
 *
 * The counter depends on the chip, so the kernel chooses it, for the whole image:
 *
 * BAREFXT_RISCV_FREQUENCY: its ticks per second, an expression. It must be defined.
 *
 * BAREFXT_RISCV_MTIME: the address of mtime in memory, for chips without the CSR `time` (FE310,
 * most microcontrollers), and those whose firmware emulates it. Lower half first.
 *
 * BAREFXT_RISCV_COUNTER_CSR: a CSR, by its name, such as mcycle, or its number. The upper half has
 * an h behind the name. If neither is defined: `time`.
 *
 * BAREFXT_RISCV_COUNTER: an expression instead, such as the call of a function that reads a
 * vendor's timer, declared in the header that BAREFXT_RISCV_HEADER names.
 *
 * BAREFXT_RISCV_COUNTER_BITS: 16 to 32 for a counter that wraps so early; else 64. With fewer the
 * kernel calls barefxt_clock_tick().
 *
 * BAREFXT_RISCV_COUNTER_FLAGS: as BAREFXT_PORT_COUNTER_FLAGS. By default a CSR other than `time`
 * has neither a constant rate nor counts in sleep, and each hart has its own.
 *
 * The kernel provides CPU numbers from 0 (see BAREFXT_RISCV_CPU), normal cacheable memory wherever
 * records are written, and a dummy store-conditional at every switch of threads and every return
 * from a trap. Nothing else clears the reservation that a load-reserved made: not mret, not sret.
 */
#ifndef BAREFXT_PORT_H
#define BAREFXT_PORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef BAREFXT_RISCV_HEADER
#include BAREFXT_RISCV_HEADER
#endif

/* Number of this CPU, from 0: an instruction that puts it into register %0. Hart ids serve if the
 * kernel runs in machine mode, on harts that are numbered from 0 on. Otherwise the kernel keeps the
 * number in a register that is each hart's own, and defines how to read it: "csrr %0, sscratch";
 * or, for a general register, BAREFXT_RISCV_CPU_REGISTER, its name: "tp".
 */
#ifdef BAREFXT_RISCV_CPU_REGISTER
#define BAREFXT_RISCV_CPU "mv %0, " BAREFXT_RISCV_CPU_REGISTER
/* The number's lower bits, in one instruction. `mask` is a constant. */
#define BAREFXT_PORT_MASKED_CPU(number, mask) \
  __asm__ volatile("andi %0, " BAREFXT_RISCV_CPU_REGISTER ", %1" : "=r"(number) : "i"(mask))
#elif !defined(BAREFXT_RISCV_CPU)
#define BAREFXT_RISCV_CPU "csrr %0, mhartid"
#endif
static inline uintptr_t barefxt_port_cpu(void) {
  uintptr_t number;
  __asm__ volatile(BAREFXT_RISCV_CPU : "=r"(number));
  return number;
}

/* BAREFXT_RISCV_RING: an instruction that loads the address of this CPU's ring (barefxt_ring) into
 * register %0, from memory to which a register of the hart points: "ld %0, 8(tp)". A record then
 * takes up to four instructions less. The kernel stores the address there before the hart records.
 */
#ifdef BAREFXT_RISCV_RING
#define BAREFXT_PORT_RING 1
static inline uintptr_t barefxt_port_own(void) {
  uintptr_t ring;
  __asm__ volatile(BAREFXT_RISCV_RING : "=r"(ring));
  return ring;
}
static inline void* barefxt_port_ring(uintptr_t own) { return (void*)own; }
static inline int barefxt_port_is_own(uintptr_t own) { return barefxt_port_own() == own; }
#endif

#ifdef BAREFXT_RISCV_CPU_REGISTER
/* Returns true if that is still the number: compared in its register, which takes one instruction.
 */
#define BAREFXT_PORT_IS_CPU 1
static inline int barefxt_port_is_cpu(uintptr_t number) {
  __asm__ goto("bne %0, " BAREFXT_RISCV_CPU_REGISTER ", %l[moved]" : : "r"(number) : : moved);
  return 1;
moved:
  return 0;
}
#endif

/* Ticks per second of the counter. The runtime cannot find it: for the time counter it stands in
 * the device tree as timebase-frequency. BAREFXT_RISCV_TIMEBASE is an older name. */
#if !defined(BAREFXT_RISCV_FREQUENCY) && defined(BAREFXT_RISCV_TIMEBASE)
#define BAREFXT_RISCV_FREQUENCY BAREFXT_RISCV_TIMEBASE
#endif
#ifndef BAREFXT_RISCV_FREQUENCY
#error "barefxt: define BAREFXT_RISCV_FREQUENCY, the ticks per second of the counter"
#endif
static inline uint64_t barefxt_port_counter_frequency(void) { return BAREFXT_RISCV_FREQUENCY; }

/* Bits before the counter wraps: 16 to 32, or 64. */
#ifndef BAREFXT_RISCV_COUNTER_BITS
#define BAREFXT_RISCV_COUNTER_BITS 64
#endif
#if BAREFXT_RISCV_COUNTER_BITS <= 32
#define BAREFXT_PORT_COUNTER_BITS BAREFXT_RISCV_COUNTER_BITS
#endif

/* The counter. Read in order: to FENCE the read of a counter, in a CSR or in memory, is device
 * input, so `fence r, ir` keeps it behind every load that came before, and so the loads
 * that follow: the ring's memory is looked up behind its position. Nothing need keep the swap
 * behind the read: a store-conditional is not seen by others before it retires, and the read has by
 * then. */
#if defined(BAREFXT_RISCV_COUNTER)
static inline uint64_t barefxt_port_counter(void) {
  __asm__ volatile("fence r, ir" : : : "memory");
  return BAREFXT_RISCV_COUNTER;
}

#elif defined(BAREFXT_RISCV_MTIME)
static inline uint64_t barefxt_port_counter(void) {
  __asm__ volatile("fence r, ir" : : : "memory");
#if BAREFXT_RISCV_COUNTER_BITS <= 32
  return *(volatile const uint32_t*)BAREFXT_RISCV_MTIME;
#elif __riscv_xlen == 64
  return *(volatile const uint64_t*)BAREFXT_RISCV_MTIME;
#else
  volatile const uint32_t* const halves = (volatile const uint32_t*)BAREFXT_RISCV_MTIME;
  uint32_t high;
  uint32_t low;
  do {
    high = halves[1];
    low = halves[0];
  } while (__builtin_expect(high != halves[1], 0));
  return (uint64_t)high << 32 | low;
#endif
}

#else
#ifndef BAREFXT_RISCV_COUNTER_CSR
#define BAREFXT_RISCV_COUNTER_CSR time
#define BAREFXT_RISCV_READS_TIME_ 1
#endif
#define BAREFXT_RISCV_TEXT_(name) #name
#define BAREFXT_RISCV_NAME_(name) BAREFXT_RISCV_TEXT_(name)
#define BAREFXT_RISCV_CSR_ BAREFXT_RISCV_NAME_(BAREFXT_RISCV_COUNTER_CSR)
static inline uint64_t barefxt_port_counter(void) {
#if __riscv_xlen == 64 || BAREFXT_RISCV_COUNTER_BITS <= 32
  uintptr_t ticks;
  __asm__ volatile("fence r, ir\n\tcsrr %0, " BAREFXT_RISCV_CSR_ : "=r"(ticks) : : "memory");
  return ticks;
#else
  /* In halves: the lower one belongs to the upper one if that was the same before and after. */
  uint32_t high;
  uint32_t low;
  uint32_t again;
  __asm__ volatile("fence r, ir" : : : "memory");
  do {
    __asm__ volatile("csrr %0, " BAREFXT_RISCV_CSR_ "h\n\tcsrr %1, " BAREFXT_RISCV_CSR_
                     "\n\tcsrr %2, " BAREFXT_RISCV_CSR_ "h"
                     : "=&r"(high), "=&r"(low), "=r"(again)
                     :
                     : "memory");
  } while (__builtin_expect(high != again, 0));
  return (uint64_t)high << 32 | low;
#endif
}
#endif

/* wire::CounterFlags: 1 constant rate, 2 nonstop, 4 system-wide. The specification promises all
 * three of the time counter, and none of a CSR that counts cycles. */
#if defined(BAREFXT_RISCV_COUNTER_FLAGS)
#define BAREFXT_PORT_COUNTER_FLAGS BAREFXT_RISCV_COUNTER_FLAGS
#elif defined(BAREFXT_RISCV_READS_TIME_) || defined(BAREFXT_RISCV_MTIME) || \
    defined(BAREFXT_RISCV_COUNTER)
#define BAREFXT_PORT_COUNTER_FLAGS 7
#elif defined(BAREFXT_MAX_CPUS) && BAREFXT_MAX_CPUS == 1
#define BAREFXT_PORT_COUNTER_FLAGS 4
#else
#define BAREFXT_PORT_COUNTER_FLAGS 0
#endif

/* Masks interrupts; returns the state that restore needs. BAREFXT_RISCV_SUPERVISOR is 1 if the
 * kernel runs in supervisor mode. */
#ifndef BAREFXT_RISCV_SUPERVISOR
#define BAREFXT_RISCV_SUPERVISOR 0
#endif
#if BAREFXT_RISCV_SUPERVISOR
#define BAREFXT_RISCV_STATUS_ "sstatus"
#define BAREFXT_RISCV_STATUS_ENABLED_ 2
#else
#define BAREFXT_RISCV_STATUS_ "mstatus"
#define BAREFXT_RISCV_STATUS_ENABLED_ 8
#endif
static inline uintptr_t barefxt_port_interrupt_save(void) {
  uintptr_t status;
  __asm__ volatile("csrrci %0, " BAREFXT_RISCV_STATUS_ ", %1"
                   : "=r"(status)
                   : "i"(BAREFXT_RISCV_STATUS_ENABLED_)
                   : "memory");
  return status & BAREFXT_RISCV_STATUS_ENABLED_;
}
static inline void barefxt_port_interrupt_restore(uintptr_t enabled) {
  __asm__ volatile("csrs " BAREFXT_RISCV_STATUS_ ", %0" : : "r"(enabled) : "memory");
}

/* With the A extension, or Zalrsc alone if the compiler makes atomics of it. Otherwise the runtime
 * masks interrupts, on one CPU. */
#if (defined(__riscv_atomic) || defined(__riscv_zalrsc)) && \
    defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_4)
/* The swap of a ring's position. Zero: the word was not `before`, or the store failed for no
 * reason. Compilers' own goes round in the second case, and GCC's compares twice. */
#define BAREFXT_PORT_SWAP 1
#if __riscv_xlen == 64
#define BAREFXT_RISCV_WORD_ "d"
#else
#define BAREFXT_RISCV_WORD_ "w"
#endif
static inline int barefxt_port_swap(uintptr_t* word, uintptr_t before, uintptr_t next) {
  __asm__ goto("lr." BAREFXT_RISCV_WORD_
               " t0, %0\n\tbne t0, %1, %l[lost]\n\tsc." BAREFXT_RISCV_WORD_
               " t0, %2, %0\n\tbnez t0, %l[lost]"
               :
               : "A"(*word), "r"(before), "r"(next)
               : "t0", "memory"
               : lost);
  return 1;
lost:
  return 0;
}

#if __riscv_xlen == 32
/* With a plain load and a fence in between. The specification promises no success then, so the
 * runtime has another way for a hart that refuses each such store. Zero: the word was not
 * stored. */
#define BAREFXT_PORT_LINKED 2
static inline uintptr_t barefxt_port_load_linked(const uintptr_t* word) {
  uintptr_t value;
  __asm__ volatile("lr.w %0, %1" : "=r"(value) : "A"(*word) : "memory");
  return value;
}
static inline int barefxt_port_store_conditional(uintptr_t* word, uintptr_t value) {
  uint32_t failed;
  __asm__ volatile("sc.w %0, %2, %1" : "=&r"(failed), "+A"(*word) : "r"(value) : "memory");
  return failed == 0;
}
#endif

/* For a kernel to test its own switch of threads: begin, switch to another thread by call and
 * return, and back, end. Nonzero: the reservation was cleared on the way, as it must be, or the CPU
 * cleared it by itself, which it may. `word` lies in normal memory and is this test's alone. */
#define BAREFXT_PORT_MONITOR_PROBE 1
static inline void barefxt_port_monitor_probe_begin(uint32_t* word) {
  uint32_t value;
  __asm__ volatile("lr.w %0, %1" : "=r"(value) : "A"(*word) : "memory");
}
static inline int barefxt_port_monitor_probe_end(uint32_t* word) {
  uint32_t failed;
  __asm__ volatile("sc.w %0, zero, %1" : "=&r"(failed), "+A"(*word) : : "memory");
  return (int)failed;
}
#else
#define BAREFXT_PORT_MAX_CPUS 1
#endif

/* Nothing to do if caches are coherent with debuggers and survive a warm reset, as on most chips.
 * The instructions that would clean one (Zicbom) are an extension; define this for a chip that
 * needs it. */
#ifndef BAREFXT_RISCV_CLEAN_CACHE
#define BAREFXT_RISCV_CLEAN_CACHE(start, bytes) ((void)(start), (void)(bytes))
#endif
static inline void barefxt_port_clean_cache(const void* start, size_t bytes) {
  BAREFXT_RISCV_CLEAN_CACHE(start, bytes);
  __asm__ volatile("fence rw, rw" : : : "memory");
}

#ifdef __PIC__
/* Loads a string's index, the 15-bit value of an absolute symbol, into [16 .. 31] of register %0.
 * The upper half of lui's instruction is the upper half of what it loads, and is set to the index
 * as a 16-bit datum would be. Linkers take no such datum for an address that moves with the image.
 */
#define BAREFXT_PORT_INDEX_SHIFT 16
#define BAREFXT_PORT_LOAD_INDEX(symbol) "lui %0, 0\n\t.reloc . - 2, R_RISCV_SET16, " symbol
#else
/* Loads a string's index, the 15-bit value of an absolute symbol, into register %0. Linkers that
 * relax leave only the second instruction if it is below 2048. */
#define BAREFXT_PORT_LOAD_INDEX(symbol) "lui %0, %%hi(" symbol ")\n\taddi %0, %0, %%lo(" symbol ")"

/* And two of them, into [0 .. 15] and [16 .. 31] of a 32-bit register. The upper half of lui's
 * instruction is the upper half of what it loads, and is set to the name as a 16-bit datum would
 * be; that leaves it the four bits which the category's upper part needs. No relaxing, which knows
 * of the category only. */
#define BAREFXT_PORT_LOAD_INDEX_PAIR(category, name)                 \
  ".option push\n\t.option norelax\n\t"                              \
  "lui %0, %%hi(" category ")\n\t.reloc . - 2, R_RISCV_SET16, " name \
  "\n\taddi %0, %0, %%lo(" category ")\n\t.option pop"
#endif

/* Frames of code with frame pointers, for barefxt_sample: the places of both addresses, in words.
 * s0 points behind the return address, and the caller's s0 lies below that. */
#define BAREFXT_PORT_FRAME_CALLER (-2)
#define BAREFXT_PORT_FRAME_RETURN (-1)
/* A function without calls may save the caller's s0 alone, in the place of the return address. */
#define BAREFXT_PORT_FRAME_OF_LEAF 1

#endif
