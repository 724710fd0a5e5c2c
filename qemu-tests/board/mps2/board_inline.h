// The part of the board interface (kernel/board.h) that is a few instructions.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt/clock.h>

#include "../thumb.h"
#include "machine.h"
#include "registers.h"

namespace kernel {
struct Cpu;
}

namespace board {

inline constexpr unsigned kMaxCpus = BAREFXT_MAX_CPUS;
inline constexpr size_t kMaxThreads = 64;
inline constexpr size_t kStackBytes = 4096;

inline void relax() { asm volatile("yield" : : : "memory"); }

extern kernel::Cpu* cpus_by_number[kMaxCpus];
inline void set_cpu(kernel::Cpu* cpu) { cpus_by_number[barefxt_port_cpu()] = cpu; }
inline kernel::Cpu* cpu() { return cpus_by_number[barefxt_port_cpu()]; }

inline uint32_t counter_of_cpu_0() {
  const uint32_t ticks = *reinterpret_cast<volatile const uint32_t*>(BAREFXT_ARMV7M_COUNTER);
#if defined(BAREFXT_ARMV7M_COUNTS_DOWN)
  return ~ticks;
#else
  return ticks;
#endif
}

// CPU 0's counter, whichever CPU asks.
inline uint64_t ticks() {
  const barefxt::Atomic<uint32_t>& stored = barefxt::clock_epochs[0];
  while (true) {
    const uint32_t epoch = stored.load_acquire();
    const uint32_t counter = counter_of_cpu_0();
    if (stored.load_relaxed() == epoch) return barefxt::ShortCounter::extend(epoch, counter);
  }
}

// In quarters of a nanosecond; the latter under -icount shift=6.
inline constexpr uint32_t kTickTakes = 4000000000 / kTicksPerSecond;
inline constexpr uint32_t kInstructionTakes = 4 * 64;
static_assert(4000000000 % kTicksPerSecond == 0);

inline uint64_t instructions_in(uint64_t ticks) { return ticks * kTickTakes / kInstructionTakes; }

}  // namespace board

extern "C" uintptr_t board_interrupted_at[BAREFXT_MAX_CPUS];

namespace board {

// In a handler, interrupts off: the instruction that would have been next.
inline uintptr_t interrupted_address() { return board_interrupted_at[barefxt_port_cpu()]; }

#define BOARD_HAS_EXCLUSIVES 1

// Exclusive load and store, for a thread that is switched away from between them.
inline uintptr_t load_exclusive(const uintptr_t* from) {
  uintptr_t value = 0;
  asm volatile("ldrex %0, %1" : "=r"(value) : "Q"(*from) : "memory");
  return value;
}
inline bool store_exclusive(uintptr_t* to, uintptr_t value) {
  uint32_t failed = 0;
  asm volatile("strex %0, %2, %1" : "=&r"(failed), "=Q"(*to) : "r"(value) : "memory");
  return failed == 0;
}

// Returns true if the instruction swaps a position: an exclusive store.
inline bool is_swap(uintptr_t address) {
  return (*reinterpret_cast<const uint16_t*>(address) & 0xfff0) == 0xe840;  // strex
}

}  // namespace board
