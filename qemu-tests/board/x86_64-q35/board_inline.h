// The part of the board interface (kernel/board.h) that is a few instructions.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt_interrupted.h>

#include "instructions.h"
#include "layout.h"
#include "registers.h"

namespace kernel {
struct Cpu;
}

namespace board {

inline constexpr char kName[] = "x86_64-q35";
inline constexpr unsigned kMaxCpus = BOARD_MAX_CPUS;
inline constexpr size_t kMaxThreads = 64;
inline constexpr size_t kStackBytes = 8192;
// Calls by GCC are many, as inlined functions count, and fall unevenly on the CPUs.
inline constexpr size_t kTraceBytes = size_t{8} << 20;

using InterruptState = uint64_t;

inline InterruptState interrupts_save_and_disable() {
  InterruptState flags = 0;
  asm volatile("pushfq\n\tpopq %0" : "=r"(flags) : : "memory");
  asm volatile("cli" : : : "memory");
  return flags;
}
inline void interrupts_restore(InterruptState flags) {
  asm volatile("pushq %0\n\tpopfq" : : "r"(flags) : "memory", "cc");
}
// The instruction behind STI is still out of their reach.
inline void interrupts_enable() { asm volatile("sti\n\tnop" : : : "memory"); }

// Called with interrupts off. One that is pending is taken right behind the wait, since STI keeps
// them off until HLT has begun: it ends the wait, and is over when this returns.
inline void wait_for_interrupt() { asm volatile("sti\n\thlt\n\tcli" : : : "memory"); }

// In spin loops: lets another virtual CPU have the host's.
inline void relax() { asm volatile("pause" : : : "memory"); }

inline void set_cpu(kernel::Cpu* cpu) {
  asm volatile("movq %0, %%gs:%c1" : : "r"(cpu), "i"(CPU_KERNELS) : "memory");
}
inline kernel::Cpu* cpu() {
  kernel::Cpu* cpu = nullptr;
  asm volatile("movq %%gs:%c1, %0" : "=r"(cpu) : "i"(CPU_KERNELS));
  return cpu;
}

// For BAREFXT_X86_64_RING_OFFSET.
#define BOARD_HAS_RING_REGISTER
inline void set_ring(void* ring) {
  asm volatile("movq %0, %%gs:%c1" : : "r"(ring), "i"(CPU_RING) : "memory");
}

inline uint64_t ticks() {
  uint32_t low = 0;
  uint32_t high = 0;
  asm volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
  return uint64_t{high} << 32 | low;
}

inline uint64_t instructions_in(uint64_t ticks) { return ticks; }

#define BOARD_HAS_NMI

// There is no exclusive load for a switch of threads to come behind.
#define BOARD_HAS_EXCLUSIVES 0

// In a handler, interrupts off: the instruction that would have been next.
inline uintptr_t interrupted_address() {
  uintptr_t address = 0;
  asm volatile("movq %%gs:%c1, %0" : "=r"(address) : "i"(CPU_INTERRUPTED));
  return address;
}

inline barefxt_interrupted interrupted(const void* saved, uintptr_t fp) {
  return barefxt_interrupted_at(static_cast<const uint64_t*>(saved), fp);
}

}  // namespace board
