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

namespace board {

inline constexpr char kName[] = "riscv-virt";
inline constexpr unsigned kMaxCpus = BOARD_MAX_CPUS;
inline constexpr size_t kMaxThreads = 64;
inline constexpr size_t kStackBytes = 8192;
inline constexpr size_t kTraceBytes = size_t{4} << 20;

using InterruptState = uintptr_t;

inline InterruptState interrupts_save_and_disable() {
  InterruptState state = 0;
  asm volatile("csrrci %0, mstatus, 8" : "=r"(state) : : "memory");
  return state & 8;
}
inline void interrupts_restore(InterruptState state) {
  asm volatile("csrs mstatus, %0" : : "r"(state) : "memory");
}
inline void interrupts_enable() { asm volatile("csrsi mstatus, 8" : : : "memory"); }

// Returns at once where an interrupt is pending, masked or not.
inline void wait_for_interrupt() { asm volatile("wfi" : : : "memory"); }

// In spin loops. QEMU gives no virtual CPU's place away for it, nor for any other instruction that
// can be used here.
inline void relax() { asm volatile("" : : : "memory"); }

inline void set_cpu(kernel::Cpu* cpu) { asm volatile("csrw mscratch, %0" : : "r"(cpu)); }
inline kernel::Cpu* cpu() {
  kernel::Cpu* cpu = nullptr;
  asm volatile("csrr %0, mscratch" : "=r"(cpu));
  return cpu;
}

// For BAREFXT_RISCV_RING: a word that gp points to.
#define BOARD_HAS_RING_REGISTER
inline void set_ring(void* ring) {
  void** word = nullptr;
  asm volatile("mv %0, gp" : "=r"(word));
  *word = ring;
}

inline uint64_t ticks() { return barefxt_port_counter(); }

// A tick is 100 ns, and under -icount shift=10 an instruction 1024 ns.
inline uint64_t instructions_in(uint64_t ticks) { return ticks * 25 / 256; }

inline constexpr uintptr_t kInstructionBytes = 2;

// In a handler, interrupts off: the instruction that would have been next.
inline uintptr_t interrupted_address() {
  uintptr_t address = 0;
  asm volatile("csrr %0, mepc" : "=r"(address));
  return address;
}

// A short instruction, of 16 bits, has nothing in the upper half.
inline uint32_t instruction_at(uintptr_t address) {
  const auto* halves = reinterpret_cast<const uint16_t*>(address);
  return (halves[0] & 3) == 3 ? halves[0] | uint32_t{halves[1]} << 16 : halves[0];
}

inline uintptr_t instruction_after(uintptr_t address) {
  return address + ((instruction_at(address) & 3) == 3 ? 4 : 2);
}

// csrrci rd, mstatus, 8
inline bool masks_interrupts(uint32_t instruction) {
  return (instruction & 0xfffff07f) == 0x30047073;
}

// Returns true if a CPU that was about to execute the instruction at `before` may have come to
// `after` by it.
inline bool may_follow(uintptr_t before, uintptr_t after) {
  const uint32_t instruction = instruction_at(before);
  const bool is_short = (instruction & 3) != 3;
  const uint32_t operation = is_short ? instruction & 0xe003 : instruction & 0x7f;
  const bool jumps =
      is_short ? operation == 0xa001 ||                                           // c.j
                     (sizeof(uintptr_t) == 4 && operation == 0x2001) ||           // c.jal
                     ((instruction & 0xe07f) == 0x8002 && instruction != 0x8002)  // c.jr, c.jalr
               : operation == 0x6f || operation == 0x67;                          // jal, jalr
  const bool may_jump = is_short ? operation == 0xc001 || operation == 0xe001     // c.beqz, c.bnez
                                 : operation == 0x63;                             // b
  // If interrupts were masked the next one comes behind the instruction that undoes it.
  if (masks_interrupts(instruction)) return (instruction_at(after - 4) & 0xfff07fff) == 0x30002073;
  // A tail call may have become a jump to the function right behind it.
  const bool jumps_to_next = instruction == 0xa009 || (instruction & 0xfffff07f) == 0x0040006f;
  if (after == before + (is_short ? 2 : 4)) return !jumps || jumps_to_next;
  return jumps || may_jump;
}

// Returns true if the instruction swaps a position: a store-conditional, or the begin of a swap
// with interrupts masked.
inline bool is_swap(uintptr_t address) {
  const uint32_t instruction = instruction_at(address);
#if defined(__riscv_atomic)
  return (instruction & 0xf800007f) == 0x1800002f;
#else
  return masks_interrupts(instruction);
#endif
}

#if defined(__riscv_atomic)
#define BOARD_HAS_EXCLUSIVES 1
// Load-reserved and store-conditional, for a thread that is switched away from between them.
inline uintptr_t load_exclusive(const uintptr_t* from) {
  uintptr_t value = 0;
#if __riscv_xlen == 64
  asm volatile("lr.d %0, %1" : "=r"(value) : "A"(*from) : "memory");
#else
  asm volatile("lr.w %0, %1" : "=r"(value) : "A"(*from) : "memory");
#endif
  return value;
}
inline bool store_exclusive(uintptr_t* to, uintptr_t value) {
  uintptr_t failed = 0;
#if __riscv_xlen == 64
  asm volatile("sc.d %0, %2, %1" : "=&r"(failed), "+A"(*to) : "r"(value) : "memory");
#else
  asm volatile("sc.w %0, %2, %1" : "=&r"(failed), "+A"(*to) : "r"(value) : "memory");
#endif
  return failed == 0;
}
#else
#define BOARD_HAS_EXCLUSIVES 0
#endif

// `saved`: 32 registers.
inline barefxt_interrupted interrupted(const void* saved, uintptr_t fp) {
  return barefxt_interrupted_at(fp, reinterpret_cast<uintptr_t>(saved) + 32 * REGISTER_BYTES);
}

}  // namespace board
