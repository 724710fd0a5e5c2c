// The part of the board interface (kernel/board.h) that is a few instructions.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt/clock.h>

#include "../thumb.h"
#include "registers.h"

namespace kernel {
struct Cpu;
}

namespace board {

inline constexpr char kName[] = "microbit";
inline constexpr unsigned kMaxCpus = 1;
#if defined(KERNEL_SMALL)
inline constexpr size_t kMaxThreads = 8;
inline constexpr size_t kStackBytes = 1072;
inline constexpr size_t kTraceBytes = 2560;
#else
inline constexpr size_t kMaxThreads = 64;
inline constexpr size_t kStackBytes = 4096;
inline constexpr size_t kTraceBytes = size_t{4} << 20;
#endif
inline constexpr uint32_t kTicksPerSecond = BAREFXT_ARMV6M_FREQUENCY;  // of the CPU and its timers

inline void relax() { asm volatile("nop" : : : "memory"); }

extern kernel::Cpu* the_cpu;
inline void set_cpu(kernel::Cpu* cpu) { the_cpu = cpu; }
inline kernel::Cpu* cpu() { return the_cpu; }

inline uint64_t ticks() { return barefxt::clock_now(); }

// In quarters of a nanosecond; the latter under -icount shift=6.
inline constexpr uint32_t kTickTakes = 4000000000 / kTicksPerSecond;
inline constexpr uint32_t kInstructionTakes = 4 * 64;
static_assert(4000000000 % kTicksPerSecond == 0);

inline uint64_t instructions_in(uint64_t ticks) {
  static_assert(kTickTakes == 250 && kInstructionTakes == 256);
  return ticks * 125 / 128;
}

}  // namespace board

extern "C" uintptr_t board_interrupted_at;

namespace board {

// In a handler, interrupts off: the instruction that would have been next.
inline uintptr_t interrupted_address() { return board_interrupted_at; }

#define BOARD_HAS_EXCLUSIVES 0

// Returns true if the instruction swaps a position: it masks interrupts to do so.
inline bool is_swap(uintptr_t address) {
  return *reinterpret_cast<const uint16_t*>(address) == 0xb672;  // cpsid i
}

}  // namespace board
