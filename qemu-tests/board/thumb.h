// The part of board_inline.h that Cortex-M boards share: interrupts, and Thumb instructions as far
// as a sweep reads them, where the next one is, and what may follow which.
#pragma once

#include <stdint.h>

#include <barefxt_interrupted.h>

namespace board {

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

// Returns at once where an interrupt is pending, masked or not.
inline void wait_for_interrupt() { asm volatile("dsb\n\twfi" : : : "memory"); }

// From thread mode, on the main stack, without floating-point registers.
inline barefxt_interrupted interrupted(const void* saved, uintptr_t fp) {
  constexpr uint32_t kExceptionReturn = 0xfffffff9;
  return barefxt_interrupted_at(kExceptionReturn, reinterpret_cast<uintptr_t>(saved), 0, fp);
}

inline constexpr uintptr_t kInstructionBytes = 2;

// Instructions have one halfword or two.
inline bool is_long_instruction(uintptr_t address) {
  const uint16_t first = *reinterpret_cast<const uint16_t*>(address);
  return first >= 0xe800;
}

inline uintptr_t instruction_after(uintptr_t address) {
  return address + (is_long_instruction(address) ? 4 : 2);
}

// Returns true if an IT before the instruction makes it depend on a condition: it is one of the one
// to four that come behind. The second half of a long instruction may look like an IT, and give
// true as well.
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

// Returns true if a CPU that was about to execute the instruction at `before` may have come to
// `after` by it.
inline bool may_follow(uintptr_t before, uintptr_t after) {
  const auto* halves = reinterpret_cast<const uint16_t*>(before);
  const bool is_long = is_long_instruction(before);
  // If interrupts were masked (cpsid i) the next one comes behind the instruction that undoes it
  // (msr primask).
  if (halves[0] == 0xb672) {
    const auto* const undone = reinterpret_cast<const uint16_t*>(after - 4);
    return (undone[0] & 0xfff0) == 0xf380 && undone[1] == 0x8810;
  }
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

}  // namespace board
