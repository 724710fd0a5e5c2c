// The part of the board interface (kernel/board.h) that is a few instructions.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt/clock.h>
#include <barefxt_interrupted.h>

#include "instructions.h"
#include "layout.h"
#include "registers.h"

namespace kernel {
struct Cpu;
}

extern "C" uintptr_t board_interrupted_at;

namespace board {

inline constexpr char kName[] = "m68k-virt";
inline constexpr unsigned kMaxCpus = 1;
inline constexpr size_t kMaxThreads = 64;
inline constexpr size_t kStackBytes = 8192;
inline constexpr size_t kTraceBytes = size_t{4} << 20;

using InterruptState = uint16_t;

inline InterruptState interrupts_save_and_disable() {
  InterruptState state = 0;
  asm volatile("move.w %%sr, %0" : "=d"(state) : : "memory");
  asm volatile("ori.w #0x700, %%sr" : : : "memory", "cc");
  return state;
}
inline void interrupts_restore(InterruptState state) {
  asm volatile("move.w %0, %%sr" : : "d"(state) : "memory", "cc");
}
inline void interrupts_enable() { asm volatile("andi.w #0xf8ff, %%sr" : : : "memory", "cc"); }

// Called with interrupts off. One that is pending is taken right behind the wait, which lets them
// in: it ends the wait, and is over when this returns.
inline void wait_for_interrupt() {
  asm volatile("stop #0x2000\n\tori.w #0x700, %%sr" : : : "memory", "cc");
}

inline void relax() { asm volatile("" : : : "memory"); }

extern kernel::Cpu* the_cpu;
inline void set_cpu(kernel::Cpu* cpu) { the_cpu = cpu; }
inline kernel::Cpu* cpu() { return the_cpu; }

inline uint64_t ticks() { return barefxt::clock_now(); }

// Both take 1 ns.
inline uint64_t instructions_in(uint64_t ticks) { return ticks; }

// There is no exclusive load for a switch of threads to come behind.
#define BOARD_HAS_EXCLUSIVES 0

// In a handler, interrupts off: the instruction that would have been next.
inline uintptr_t interrupted_address() { return board_interrupted_at; }

inline barefxt_interrupted interrupted(const void* saved, uintptr_t fp) {
  return barefxt_interrupted_at(static_cast<const uint16_t*>(saved), fp);
}

}  // namespace board
