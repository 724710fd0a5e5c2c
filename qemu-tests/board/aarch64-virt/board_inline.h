// The part of the board interface (kernel/board.h) that is a few instructions.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "layout.h"
#include "registers.h"

namespace kernel {
struct Cpu;
}

namespace board {

inline constexpr char kName[] = "aarch64-virt";
inline constexpr unsigned kMaxCpus = BOARD_MAX_CPUS;
inline constexpr size_t kMaxThreads = 64;
inline constexpr size_t kStackBytes = 8192;
inline constexpr size_t kTraceBytes = size_t{4} << 20;

using InterruptState = uint64_t;

inline InterruptState interrupts_save_and_disable() {
  InterruptState state = 0;
  asm volatile("mrs %0, daif\n\tmsr daifset, #2" : "=r"(state) : : "memory");
  return state;
}
inline void interrupts_restore(InterruptState state) {
  asm volatile("msr daif, %0" : : "r"(state) : "memory");
}
inline void interrupts_enable() { asm volatile("msr daifclr, #2" : : : "memory"); }
inline bool interrupts_are_enabled() {
  InterruptState state = 0;
  asm volatile("mrs %0, daif" : "=r"(state));
  return (state & 0x80) == 0;
}

// Returns at once where an interrupt is pending, masked or not.
inline void wait_for_interrupt() { asm volatile("dsb sy\n\twfi" : : : "memory"); }

// In spin loops: lets another virtual CPU have the host's.
inline void relax() { asm volatile("yield" : : : "memory"); }

inline void set_cpu(kernel::Cpu* cpu) { asm volatile("msr tpidr_el1, %0" : : "r"(cpu)); }
inline kernel::Cpu* cpu() {
  kernel::Cpu* cpu = nullptr;
  asm volatile("mrs %0, tpidr_el1" : "=r"(cpu));
  return cpu;
}

inline uint64_t ticks() {
  uint64_t value = 0;
  asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(value) : : "memory");
  return value;
}

}  // namespace board
