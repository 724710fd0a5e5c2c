// The part of the board interface (kernel/board.h) that is a few instructions.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt/clock.h>

#include "machine.h"
#include "registers.h"

namespace kernel {
struct Cpu;
}

namespace board {

inline constexpr unsigned kMaxCpus = BAREFXT_MAX_CPUS;
inline constexpr size_t kMaxThreads = 64;
inline constexpr size_t kStackBytes = 4096;

using InterruptState = uint32_t;

inline InterruptState interrupts_save_and_disable() {
  InterruptState state = 0;
  asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(state) : : "memory");
  return state;
}
inline void interrupts_restore(InterruptState state) {
  asm volatile("msr primask, %0" : : "r"(state) : "memory");
}
inline void interrupts_enable() { asm volatile("cpsie i\n\tisb" : : : "memory"); }
inline bool interrupts_are_enabled() {
  InterruptState state = 0;
  asm volatile("mrs %0, primask" : "=r"(state));
  return state == 0;
}

// Returns at once where an interrupt is pending, masked or not.
inline void wait_for_interrupt() { asm volatile("dsb\n\twfi" : : : "memory"); }

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

inline constexpr uintptr_t kInstructionBytes = 2;

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

// Instructions have one halfword or two.
inline bool is_long_instruction(uintptr_t address) {
  const uint16_t first = *reinterpret_cast<const uint16_t*>(address);
  return first >= 0xe800;
}

inline uintptr_t instruction_after(uintptr_t address) {
  return address + (is_long_instruction(address) ? 4 : 2);
}

// Whether an IT before the instruction makes it depend on a condition: it is one of the one to four
// that come behind. What only looks like an IT, the second half of a long instruction, may say so
// too.
inline bool is_conditional(uintptr_t address) {
  constexpr uintptr_t kFarthest = 2 + 3 * 4;
  for (uintptr_t it = address - 2; it >= address - kFarthest; it -= 2) {
    const uint16_t half = *reinterpret_cast<const uint16_t*>(it);
    if ((half & 0xff00) != 0xbf00 || (half & 0xf) == 0) continue;
    // The lowest one of the mask ends the block.
    const unsigned count = 4 - static_cast<unsigned>(__builtin_ctz(half));
    uintptr_t at = it + 2;
    for (unsigned i = 0; i < count; ++i, at = instruction_after(at))
      if (at == address) return true;
  }
  return false;
}

// Whether a CPU that was about to execute the instruction at `before` may have come to `after` by
// it.
inline bool may_follow(uintptr_t before, uintptr_t after) {
  const auto* halves = reinterpret_cast<const uint16_t*>(before);
  const bool is_long = is_long_instruction(before);
  // To the instruction behind it, as a tail call may be.
  if (is_long && halves[0] == 0xf000 && halves[1] == 0xb800) return after == before + 4;
  const bool jumps =
      (halves[0] & 0xf800) == 0xe000 ||  // b
      (halves[0] & 0xff00) == 0x4700 ||  // bx, blx
      (halves[0] & 0xff87) == 0x4687 ||  // mov pc
      (halves[0] & 0xff00) == 0xbd00 ||  // pop {..., pc}
      (is_long && (halves[0] & 0xf800) == 0xf000 && (halves[1] & 0x9000) == 0x9000) ||  // b.w, bl
      (is_long && halves[0] == 0xe8bd && (halves[1] & 0x8000) != 0) ||                  // pop.w
      (is_long && (halves[0] & 0xff70) == 0xf850 && (halves[1] & 0xf000) == 0xf000);    // ldr pc
  if (after == instruction_after(before)) return !jumps || is_conditional(before);
  const bool may_jump =
      ((halves[0] & 0xf000) == 0xd000 && !is_long) ||  // b<cond>
      (halves[0] & 0xf500) == 0xb100 ||                // cbz, cbnz
      (is_long && (halves[0] & 0xf800) == 0xf000 && (halves[1] & 0xd000) == 0x8000 &&
       (halves[0] & 0x0380) != 0x0380) ||
      (is_long && (halves[0] & 0xfff0) == 0xe8d0) ||                                  // tbb, tbh
      (is_long && (halves[0] & 0xf000) == 0xf000 && (halves[1] & 0xf001) == 0xc001);  // le, wls
  return jumps || may_jump;
}

// Whether the instruction is one by which a position is swapped: an exclusive store.
inline bool is_swap(uintptr_t address) {
  return (*reinterpret_cast<const uint16_t*>(address) & 0xfff0) == 0xe840;  // strex
}

}  // namespace board
