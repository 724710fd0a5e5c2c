// The part of the board interface (kernel/board.h) that is a few instructions.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt_interrupted.h>

#include "layout.h"
#include "registers.h"

namespace kernel {
struct Cpu;
}

#define BOARD_HAS_CONSOLE_INPUT

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

// For BAREFXT_AARCH64_RING_REGISTER: the first word of kernel::Cpu.
#define BOARD_HAS_RING_REGISTER
inline void set_ring(void* ring) { *reinterpret_cast<void**>(cpu()) = ring; }

inline uint64_t ticks() {
  uint64_t value = 0;
  asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(value) : : "memory");
  return value;
}

inline uint64_t instructions_in(uint64_t ticks) { return ticks; }

inline constexpr uintptr_t kInstructionBytes = 4;

// In a handler, interrupts off: the instruction that would have been next.
inline uintptr_t interrupted_address() {
  uintptr_t address = 0;
  asm volatile("mrs %0, elr_el1" : "=r"(address));
  return address;
}

inline uintptr_t instruction_after(uintptr_t address) { return address + kInstructionBytes; }

inline uint32_t instruction_at(uintptr_t address) {
  // Instructions are little-endian, also if data are big-endian.
  const uint32_t word = *reinterpret_cast<const uint32_t*>(address);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return __builtin_bswap32(word);
#else
  return word;
#endif
}

// Returns true if a CPU that was about to execute the instruction at `before` may have come to
// `after` by it.
inline bool may_follow(uintptr_t before, uintptr_t after) {
  const uint32_t instruction = instruction_at(before);
  const bool jumps = (instruction & 0x7c000000) == 0x14000000 ||     // b, bl
                     (instruction & 0xfe000000) == 0xd6000000;       // br, blr, ret
  const bool may_jump = (instruction & 0xff000000) == 0x54000000 ||  // b.cond
                        (instruction & 0x7c000000) == 0x34000000;    // cbz, cbnz, tbz, tbnz
  const bool jumps_to_next = (instruction & 0x7fffffff) == 0x14000001;
  if (after == before + kInstructionBytes) return !jumps || jumps_to_next;
  return jumps || may_jump;
}

// Returns true if the instruction swaps a position: an exclusive store, or a compare-and-swap.
inline bool is_swap(uintptr_t address) {
  const uint32_t instruction = instruction_at(address);
  return (instruction & 0x3fe00000) == 0x08000000 ||  // stxr, stlxr
         (instruction & 0x3fa07c00) == 0x08a07c00;    // cas and its kin
}

#define BOARD_HAS_EXCLUSIVES 1

// Exclusive load and store, for a thread that is switched away from between them.
inline uint64_t load_exclusive(const uint64_t* from) {
  uint64_t value = 0;
  asm volatile("ldxr %0, %1" : "=r"(value) : "Q"(*from) : "memory");
  return value;
}
inline bool store_exclusive(uint64_t* to, uint64_t value) {
  uint32_t failed = 0;
  asm volatile("stxr %w0, %2, %1" : "=&r"(failed), "=Q"(*to) : "r"(value) : "memory");
  return failed == 0;
}

inline barefxt_interrupted interrupted(const void* saved, uintptr_t fp) {
  constexpr uintptr_t kSavedBytes = 272;
  return barefxt_interrupted_at(fp, reinterpret_cast<uintptr_t>(saved) + kSavedBytes);
}

}  // namespace board
