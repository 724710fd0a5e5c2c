// Sleds in A32 code: seven instructions; the first branches behind the last. Clang has none in
// Thumb code.
//
// The switch is B or NOP, which are of the kinds that one CPU may change while another executes
// them, as on AArch64. aarch64.h explains that; the same goes for the body here, and for cleaning
// it. The body:
//
//     nop | push {r0, r1, r2, lr} | movw, movt r0 | movw r1 | bl barefxt_sled | pop {r0, r1, r2,
//     lr}
//
// A return may be conditional, and clang puts the sled ahead of the condition. So all of it leaves
// the flags as they are, and such a return would be recorded though it is not taken: code with
// sleds is compiled with -mllvm -ifcvt-limit=0.
#pragma once

#include <barefxt/fxt/ring_record.h>

#include "sled.h"

extern "C" {
void barefxt_sled();
void barefxt_sled_argument();
}

namespace barefxt::sleds {

using Switch = uint32_t;
inline constexpr size_t kBodyWords = 6;
using BodyWord = uint32_t;

namespace arm {

constexpr uint32_t move_half(uint32_t base, uint32_t into, uint32_t half) {
  return base | (half >> 12 & 0xf) << 16 | into << 12 | (half & 0xfff);
}

}  // namespace arm

// Clang makes nothing of an event here.
inline constexpr bool kHasEvents = false;
inline bool is_sled(const uint8_t* /*sled*/, Kind /*kind*/) { return true; }
inline size_t switch_at(Kind /*kind*/) { return 0; }
inline Switch switch_off(Kind /*kind*/) { return 0xea000005; }
inline Switch switch_on(Kind /*kind*/) { return 0xe320f000; }

inline fxt::CallAction action_of(Kind kind, const uint8_t* /*sled*/) { return action_of(kind); }

// The body of the sled there. False: what it calls is out of its reach.
inline bool make_body(const uint8_t* sled, Kind kind, fxt::Word header,
                      BodyWord (&body)[kBodyWords]) {
  using arm::move_half;
  const auto low = static_cast<uint32_t>(header);
  const auto high = static_cast<uint32_t>(header >> 32);
  constexpr uintptr_t kCall = 5 * sizeof(uint32_t);
  constexpr uintptr_t kAhead = 8;  // that the program counter is
  void (*const trampoline)() =
      kind == Kind::kEntryWithArgument ? &barefxt_sled_argument : &barefxt_sled;
  const auto distance = static_cast<intptr_t>(reinterpret_cast<uintptr_t>(trampoline) -
                                              reinterpret_cast<uintptr_t>(sled) - kCall - kAhead);
  constexpr intptr_t kReach = intptr_t{1} << 25;
  body[0] = 0xe92d4007;                           // push {r0, r1, r2, lr}
  body[1] = move_half(0xe3000000, 0, low);        // movw r0
  body[2] = move_half(0xe3400000, 0, low >> 16);  // movt r0
  body[3] = move_half(0xe3000000, 1, high);       // movw r1
  body[4] = 0xeb000000 | (static_cast<uint32_t>(distance >> 2) & 0xffffff);  // bl
  body[5] = 0xe8bd4007;                                                      // pop {r0, r1, r2, lr}
  return distance >= -kReach && distance < kReach;
}

// Makes stored code visible to instruction fetches: DCCMVAU.
inline void clean(const void* written, size_t bytes) {
  uint32_t type = 0;
  __asm__ volatile("mrc p15, 0, %0, c0, c0, 1" : "=r"(type));
  const uintptr_t line = uintptr_t{4} << (type >> 16 & 0xf);
  const auto begin = reinterpret_cast<uintptr_t>(written);
  for (uintptr_t at = begin & ~(line - 1); at < begin + bytes; at += line)
    __asm__ volatile("mcr p15, 0, %0, c7, c11, 1" : : "r"(at) : "memory");
  __asm__ volatile("dsb ish" : : : "memory");
}
// And out of all CPUs' instruction caches (ICIMVAU) and branch predictors (BPIALLIS).
inline void invalidate(const void* code, size_t bytes) {
  uint32_t type = 0;
  __asm__ volatile("mrc p15, 0, %0, c0, c0, 1" : "=r"(type));
  const uintptr_t line = uintptr_t{4} << (type & 0xf);
  const auto begin = reinterpret_cast<uintptr_t>(code);
  for (uintptr_t at = begin & ~(line - 1); at < begin + bytes; at += line)
    __asm__ volatile("mcr p15, 0, %0, c7, c5, 1" : : "r"(at) : "memory");
  __asm__ volatile("mcr p15, 0, %0, c7, c1, 6\n\tdsb ish\n\tisb" : : "r"(0) : "memory");
}

}  // namespace barefxt::sleds
