/* Port to a hosted x86-64 or AArch64 process, for tests: threads stand for CPUs, signals for
 * interrupts. The program is linked without PIE, so that a string's index fits an instruction.
 */
#ifndef BAREFXT_PORT_H
#define BAREFXT_PORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* The test sets which CPU the calling thread plays. */
extern __thread uint32_t barefxt_host_cpu;
/* barefxt_port_entropy returns barefxt_host_entropy. */
#define BAREFXT_PORT_ENTROPY 1
extern uint32_t barefxt_host_entropy;
/* A test that chooses the time itself points here; otherwise the processor's counter is read. */
extern uint64_t (*barefxt_host_counter)(void);
/* Called with each range that is to be written back to memory; may be null. */
extern void (*barefxt_host_clean_cache)(const void* start, size_t bytes);
#ifdef __cplusplus
}
#endif

static inline uint32_t barefxt_port_cpu(void) { return *(volatile uint32_t*)&barefxt_host_cpu; }

static inline uint64_t barefxt_port_counter(void) {
  if (barefxt_host_counter) return barefxt_host_counter();
#if defined(__x86_64__)
  uint32_t low;
  uint32_t high;
  __asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
  return (uint64_t)high << 32 | low;
#else
  uint64_t ticks;
  __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
  return ticks;
#endif
}

/* Tests compare ticks, not seconds. */
static inline uint64_t barefxt_port_counter_frequency(void) { return 1000000000; }

/* Tests build the runtime once more for other counters. */
#ifndef BAREFXT_PORT_COUNTER_FLAGS
#define BAREFXT_PORT_COUNTER_FLAGS 7
#endif

/* A test whose positions have few bits for a number defines these. */
#ifdef BAREFXT_HOST_LINKED
#define BAREFXT_PORT_LINKED 1
#ifdef __cplusplus
extern "C" {
#endif
uintptr_t barefxt_port_load_linked(const uintptr_t* word);
int barefxt_port_store_conditional(uintptr_t* word, uintptr_t value);
#ifdef __cplusplus
}
#endif
#endif

/* A test whose exclusive stores fail or overlap, or whose caches are off, defines these. */
#ifdef BAREFXT_TEST_STORES
#define BAREFXT_PORT_MONITOR_PROBE
#define BAREFXT_PORT_CACHES_ARE_ON 1
#ifdef __cplusplus
extern "C" {
#endif
int barefxt_port_caches_are_on(void);
void barefxt_port_monitor_probe_begin(uint32_t* word);
uint32_t barefxt_port_monitor_probe_end(uint32_t* word);
#ifdef __cplusplus
}
#endif
#endif

static inline uintptr_t barefxt_port_interrupt_save(void) { return 0; }
static inline void barefxt_port_interrupt_restore(uintptr_t state) { (void)state; }
static inline void barefxt_port_clean_cache(const void* start, size_t bytes) {
  if (barefxt_host_clean_cache) barefxt_host_clean_cache(start, bytes);
}

#if defined(__x86_64__)
#define BAREFXT_PORT_LOAD_INDEX(symbol) "movl $" symbol ", %k0"
#define BAREFXT_PORT_LOAD_INDICES(category, name) \
  "movabsq $0, %q0\n\t.reloc . - 4, R_X86_64_16, " category "\n\t.reloc . - 2, R_X86_64_16, " name

/* In position-independent code: the lower half-word of the number at `symbol`, and two of them,
 * into [32 .. 47] and [48 .. 63]. */
#define BAREFXT_PORT_LOAD_NUMBER(symbol) "movzwl " symbol "(%%rip), %k0"
#define BAREFXT_PORT_LOAD_NUMBERS(category, name) \
  "movzwl " name "(%%rip), %k0\n\tshll $16, %k0\n\tmovw " category "(%%rip), %w0\n\tshlq $32, %q0"
#else
#define BAREFXT_PORT_LOAD_INDEX(symbol) "movz %w0, #:abs_g0:" symbol
#define BAREFXT_PORT_LOAD_NUMBER(symbol) \
  "adrp %x0, " symbol "\n\tldrh %w0, [%x0, #:lo12:" symbol "]"
#endif

/* Frames of code with frame pointers, for barefxt_sample: the places of both addresses, in words.
 * The frame pointer points to the caller's, and the return address lies behind that. */
#define BAREFXT_PORT_FRAME_CALLER 0
#define BAREFXT_PORT_FRAME_RETURN 1

#endif
