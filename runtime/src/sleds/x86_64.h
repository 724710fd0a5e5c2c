// Sleds on x86-64: eleven bytes at an even address, of which the first two are a jump around the
// rest, or at a function's end a return.
//
//     where a function begins, or jumps to another:   mov $header, %r10d | call trampoline
//     where it returns:                               mov $header, %r10d | jmp barefxt_sled_exit
//
// The switch is the first two bytes, the opcode of the first instruction here, and is one store,
// which lies in one line of the cache. Caches of instructions are coherent, so nothing is to be
// cleaned. The body is written while the switch leads around it. Intel asks more of code that another CPU
// may execute at that time: that this CPU executes a serializing instruction before it comes to the
// new code. So barefxt_functions_patch asks the kernel to have all CPUs do that, between the bodies
// and the switches, once in the life of a sled: an interrupt will do, by its IRET. What is left is the
// two bytes, that each CPU reads before or after they were stored.
#pragma once

#include <barefxt/fxt/ring_record.h>

#include "sled.h"

extern "C" {
void barefxt_sled_entry();
void barefxt_sled_exit();
void barefxt_sled_tail();
}

namespace barefxt::sleds {

using Switch = uint16_t;
inline constexpr size_t kBodyWords = 9;
using BodyWord = uint8_t;

inline Switch switch_off(Kind kind) {
  switch (kind) {
    case Kind::kExit:
      return 0x2ec3;  // ret, and a byte that is not looked at
    case Kind::kCustomEvent:
      return 0x0feb;  // jmp
    case Kind::kTypedEvent:
      return 0x14eb;
    default:
      return 0x09eb;
  }
}
inline Switch switch_on(Kind kind) { return is_event(kind) ? 0x9066 : 0xba41; }
// What of it tells whether it is off.
constexpr Switch switch_mask(Kind kind) { return kind == Kind::kExit ? 0x00ff : 0xffff; }

inline fxt::CallAction action_of(Kind kind, const uint8_t* /*sled*/) {
  switch (kind) {
    case Kind::kExit:
      return fxt::CallAction::kExit;
    case Kind::kTailExit:
      return fxt::CallAction::kTailExit;
    default:
      return fxt::CallAction::kEntry;
  }
}

// The body of the sled there. False: what it calls is out of its reach.
inline bool make_body(const uint8_t* sled, Kind kind, fxt::Word header,
                      BodyWord (&body)[kBodyWords]) {
  const auto put = [&body](size_t at, uint32_t value) {
    for (size_t i = 0; i < sizeof value; ++i) body[at + i] = static_cast<uint8_t>(value >> (8 * i));
  };
  void (*const trampoline)() = kind == Kind::kExit       ? &barefxt_sled_exit
                               : kind == Kind::kTailExit ? &barefxt_sled_tail
                                                         : &barefxt_sled_entry;
  const auto end = reinterpret_cast<uintptr_t>(sled) + sizeof(Switch) + kBodyWords;
  const auto distance = static_cast<intptr_t>(reinterpret_cast<uintptr_t>(trampoline) - end);
  put(0, static_cast<uint32_t>(header >> 16));
  body[4] = kind == Kind::kExit ? 0xe9 : 0xe8;
  put(5, static_cast<uint32_t>(distance));
  return distance == static_cast<int32_t>(distance);
}

inline void clean(const void* /*written*/, size_t /*bytes*/) { __asm__ volatile("" : : : "memory"); }
inline void invalidate(const void* /*code*/, size_t /*bytes*/) {}

}  // namespace barefxt::sleds
