// The part of the board interface (kernel/board.h) that is a few instructions.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt_interrupted.h>
#include <barefxt_port.h>

#include "layout.h"
#include "registers.h"

namespace kernel {
struct Cpu;
}

#define BOARD_HAS_CONSOLE_INPUT

namespace board {

inline constexpr char kName[] = "armv7a-virt";
inline constexpr unsigned kMaxCpus = BOARD_MAX_CPUS;
inline constexpr size_t kMaxThreads = 64;
inline constexpr size_t kStackBytes = 8192;
inline constexpr size_t kTraceBytes = size_t{4} << 20;

using InterruptState = uint32_t;

inline InterruptState interrupts_save_and_disable() {
  InterruptState state = 0;
  asm volatile("mrs %0, cpsr\n\tcpsid i" : "=r"(state) : : "memory");
  return state;
}
inline void interrupts_restore(InterruptState state) {
  asm volatile("msr cpsr_c, %0" : : "r"(state) : "memory");
}
inline void interrupts_enable() { asm volatile("cpsie i" : : : "memory"); }

// Returns at once where an interrupt is pending, masked or not.
inline void wait_for_interrupt() { asm volatile("dsb sy\n\twfi" : : : "memory"); }

// In spin loops: lets another virtual CPU have the host's.
inline void relax() { asm volatile("yield" : : : "memory"); }

inline void set_cpu(kernel::Cpu* cpu) {
  asm volatile("mcr p15, 0, %0, c13, c0, 4" : : "r"(cpu));  // TPIDRPRW
}
inline kernel::Cpu* cpu() {
  kernel::Cpu* cpu = nullptr;
  asm volatile("mrc p15, 0, %0, c13, c0, 4" : "=r"(cpu));
  return cpu;
}

inline uint64_t ticks() { return barefxt_port_counter(); }

inline uint64_t instructions_in(uint64_t ticks) { return ticks; }

inline constexpr uintptr_t kInstructionBytes = 4;

// In a handler, interrupts off: the instruction that would have been next.
inline uintptr_t interrupted_address() {
  uintptr_t address = 0;
  asm volatile("mrc p15, 0, %0, c13, c0, 3" : "=r"(address));  // see vectors.S
  return address;
}

inline uintptr_t instruction_after(uintptr_t address) { return address + kInstructionBytes; }

inline uint32_t instruction_at(uintptr_t address) {
  return *reinterpret_cast<const uint32_t*>(address);
}

// Returns true if the instruction may write the program counter; conditions apart.
inline bool is_jump(uint32_t instruction) {
  constexpr uint32_t kNoCondition = 0xf;  // barriers and the like, none that jump
  if (instruction >> 28 == kNoCondition) return false;
  if ((instruction & 0x0e000000) == 0x0a000000) return true;  // b, bl
  if ((instruction & 0x0fffffd0) == 0x012fff10) return true;  // bx, blx
  if ((instruction & 0x0e108000) == 0x08108000) return true;  // ldm with pc
  if ((instruction & 0x0c10f000) == 0x0410f000) return true;  // ldr pc
  // Arithmetic with pc as its result. Not where that is a comparison, or a status register's.
  return (instruction & 0x0c00f000) == 0x0000f000 && (instruction & 0x01800000) != 0x01000000;
}

// Returns true if a CPU that was about to execute the instruction at `before` may have come to
// `after` by it.
inline bool may_follow(uintptr_t before, uintptr_t after) {
  constexpr uint32_t kAlways = 0xe;
  constexpr uint32_t kJumpToNext = 0xeaffffff;
  const uint32_t instruction = instruction_at(before);
  if (after != before + kInstructionBytes) return is_jump(instruction);
  return !is_jump(instruction) || instruction >> 28 != kAlways || instruction == kJumpToNext;
}

// Returns true if the instruction swaps a position: an exclusive store.
inline bool is_swap(uintptr_t address) {
  return (instruction_at(address) & 0x0ff00ff0) == 0x01800f90;
}

#define BOARD_HAS_EXCLUSIVES 1

// Exclusive load and store, for a thread that is switched away from between them.
inline uint32_t load_exclusive(const uintptr_t* from) {
  uint32_t value = 0;
  asm volatile("ldrex %0, %1" : "=r"(value) : "Q"(*from) : "memory");
  return value;
}
inline bool store_exclusive(uintptr_t* to, uint32_t value) {
  uint32_t failed = 0;
  asm volatile("strex %0, %2, %1" : "=&r"(failed), "=Q"(*to) : "r"(value) : "memory");
  return failed == 0;
}

inline barefxt_interrupted interrupted(const void* saved, uintptr_t fp) {
  return barefxt_interrupted_at(static_cast<const uint32_t*>(saved), fp);
}

}  // namespace board
