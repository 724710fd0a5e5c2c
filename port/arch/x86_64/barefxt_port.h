/* Port to x86-64 with its time stamp counter.
 *
 * The kernel provides each CPU's number, from 0, as 32 bits at BAREFXT_X86_64_CPU_OFFSET in its
 * block of data that GS points at. GS points there wherever records are written. If user code runs
 * as well, that is behind SWAPGS: a handler that may come in before it (of NMI, of machine checks)
 * looks at the base of GS first, as it must anyway. Not all machines have a register with the time
 * stamp counter's frequency. So the kernel puts it into barefxt_x86_64_tsc_hertz before it starts
 * recording, from CPUID 15h, by measurement, or as it pleases.
 *
 * BAREFXT_X86_64_CPU: an expression for the number instead, where that block has it elsewhere or
 * not at all. BAREFXT_X86_64_HEADER: a header with what the expression calls.
 *
 * A switch of threads needs nothing: an instruction with LOCK cannot be interrupted in its middle.
 */
#ifndef BAREFXT_PORT_H
#define BAREFXT_PORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef BAREFXT_X86_64_HEADER
#include BAREFXT_X86_64_HEADER
#endif

#ifdef __cplusplus
extern "C" {
#endif
/* 0 until the kernel knows; barefxt_start then reports BAREFXT_ERROR_COUNTER_RATE. */
extern uint64_t barefxt_x86_64_tsc_hertz;
#ifdef __cplusplus
}
#endif

/* Number of this CPU. RDPID would be one instruction, too, but few machines have it. RDTSCP returns
 * the number beside the time, but takes one more instruction before the ring is known to be open.
 */
#ifdef BAREFXT_X86_64_CPU
static inline uint32_t barefxt_port_cpu(void) { return (uint32_t)(BAREFXT_X86_64_CPU); }
#else
#ifndef BAREFXT_X86_64_CPU_OFFSET
#define BAREFXT_X86_64_CPU_OFFSET 0
#endif
static inline uint32_t barefxt_port_cpu(void) {
  uint32_t cpu;
  __asm__ volatile("movl %%gs:%c1, %0" : "=r"(cpu) : "i"(BAREFXT_X86_64_CPU_OFFSET));
  return cpu;
}

/* The number times a constant, in the lower half of a register: one instruction. */
#define BAREFXT_PORT_SCALED_CPU(product, scale) \
  __asm__ volatile("imull %1, %%gs:%c2, %0"     \
                   : "=r"(product)              \
                   : "i"(scale), "i"(BAREFXT_X86_64_CPU_OFFSET))
#endif

/* BAREFXT_X86_64_RING_OFFSET: where in that block of data the kernel stores the address of the
 * CPU's ring (barefxt_ring), before the CPU records. A record then takes two or three instructions
 * less.
 */
#ifdef BAREFXT_X86_64_RING_OFFSET
#define BAREFXT_PORT_RING 1
static inline uintptr_t barefxt_port_own(void) {
  uintptr_t ring;
  __asm__ volatile("movq %%gs:%c1, %0" : "=r"(ring) : "i"(BAREFXT_X86_64_RING_OFFSET));
  return ring;
}
static inline void* barefxt_port_ring(uintptr_t own) { return (void*)own; }
static inline int barefxt_port_is_own(uintptr_t own) {
  __asm__ goto("cmpq %%gs:%c1, %0\n\tjne %l[moved]"
               :
               : "r"(own), "i"(BAREFXT_X86_64_RING_OFFSET)
               : "cc"
               : moved);
  return 1;
moved:
  return 0;
}
#endif

/* The time stamp counter, read in order: RDTSCP waits until all instructions before it are done and
 * all loads have their values, the position's among them. LFENCE and RDTSC do so on Intel's
 * processors, on AMD's only if the kernel made LFENCE wait (bit 1 of MSR C001_1029). A kernel that
 * is sure of that may set BAREFXT_X86_64_LFENCE=1: then sleds use these two where RDTSCP would lose
 * a register that is in use. And the counter is read before the position is swapped: an instruction
 * with LOCK begins when all before it are done. It clears the upper halves of both registers. */
static inline uint64_t barefxt_port_counter(void) {
  uint64_t low;
  uint64_t high;
  __asm__ volatile("rdtscp" : "=a"(low), "=d"(high) : : "rcx", "memory");
  return high << 32 | low;
}

static inline uint64_t barefxt_port_counter_frequency(void) { return barefxt_x86_64_tsc_hertz; }

/* The swap of a ring's position, in memory as it is addressed there. */
#define BAREFXT_PORT_SWAP 1
static inline int barefxt_port_swap(uintptr_t* word, uintptr_t before, uintptr_t next) {
  int is_swapped;
  __asm__ volatile("lock cmpxchgq %3, %1"
                   : "=@ccz"(is_swapped), "+m"(*word), "+a"(before)
                   : "r"(next)
                   : "memory");
  return is_swapped;
}

/* wire::CounterFlags: constant rate, nonstop, system-wide. So it is on processors whose counter is
 * invariant (bit 8 of EDX of CPUID 80000007h), once the firmware has put those of all CPUs in step.
 * A kernel on others defines what holds there. */
#ifndef BAREFXT_PORT_COUNTER_FLAGS
#define BAREFXT_PORT_COUNTER_FLAGS 7
#endif

/* Masks interrupts, except NMI; gives back what restore needs. Not used by the runtime on this
 * machine, which has compare-and-swap, but part of every port. */
static inline uintptr_t barefxt_port_interrupt_save(void) {
  uintptr_t flags;
  __asm__ volatile("pushfq\n\tpopq %0\n\tcli" : "=r"(flags) : : "memory");
  return flags;
}
static inline void barefxt_port_interrupt_restore(uintptr_t flags) {
  __asm__ volatile("pushq %0\n\tpopfq" : : "r"(flags) : "memory", "cc");
}

/* Writes dirty lines of the range back to memory, for what survives a reset. CLFLUSH, which every
 * x86-64 has; a line has 64 bytes or more on all of them. */
static inline void barefxt_port_clean_cache(const void* start, size_t bytes) {
  const uintptr_t line = 64;
  const uintptr_t end = (uintptr_t)start + bytes;
  for (uintptr_t address = (uintptr_t)start & ~(line - 1); address < end; address += line)
    __asm__ volatile("clflush %0" : : "m"(*(const volatile char*)address) : "memory");
  __asm__ volatile("mfence" : : : "memory");
}

/* How a string's index, the 16-bit value of an absolute symbol, comes into register %0. */
#define BAREFXT_PORT_LOAD_INDEX(symbol) "movl $" symbol ", %k0"

/* And two of them, into [32 .. 47] and [48 .. 63]. */
#define BAREFXT_PORT_LOAD_INDICES(category, name) \
  "movabsq $0, %q0\n\t.reloc . - 4, R_X86_64_16, " category "\n\t.reloc . - 2, R_X86_64_16, " name

/* In position-independent code: the lower half-word of the number at `symbol`, and two of them,
 * into [32 .. 47] and [48 .. 63]. */
#define BAREFXT_PORT_LOAD_NUMBER(symbol) "movzwl " symbol "(%%rip), %k0"
#define BAREFXT_PORT_LOAD_NUMBERS(category, name) \
  "movzwl " name "(%%rip), %k0\n\tshll $16, %k0\n\tmovw " category "(%%rip), %w0\n\tshlq $32, %q0"

/* Frames of code with frame pointers, for barefxt_sample: the places of both addresses, in words.
 * rbp points to the caller's, and the return address lies behind that. */
#define BAREFXT_PORT_FRAME_CALLER 0
#define BAREFXT_PORT_FRAME_RETURN 1

#endif
