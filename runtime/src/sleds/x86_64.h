// Sleds on x86-64: eleven bytes; the first two are a jump around the rest. At a return the first is
// that return. They become
//
//     at a begin, or at a jump to another function:   push $number * 256 + 9 | call *target
//     at a return:                                    mov $header, %edi | jmp *target
//
// The switch is a single byte, the first: so no CPU, and no emulator that reads instructions byte
// by byte, can see half of it. That is why the number is pushed: the operand of PUSH has the jump's
// distance, 9, as its lowest byte, and 24 bits more, the size of numbers.
//
// There is a target for each kind of sled: its trampoline while calls are recorded, else an
// instruction that returns. So a call needs no look at the category.
//
// An event's sled, from the compiler, begins with a jump around the rest, too: push and mov of the
// registers that arguments have to be in, call __xray_CustomEvent (or TypedEvent), pop. There the
// switch is the jump's distance: 0 if it is on.
//
// Caches of instructions are coherent, so nothing is to be cleaned. The body is written while the
// switch leads around it. Intel demands more for code that another CPU may execute: that CPU
// executes a serializing instruction before it comes to the new code. So barefxt_functions_patch
// asks the kernel to have all CPUs do that, between the bodies and the switches, once in the life
// of a sled: an interrupt suffices, by its IRET.
#pragma once

#include <barefxt/fxt/ring_record.h>

#include "sled.h"

extern "C" {
void barefxt_sled_argument();
void barefxt_sled_entry();
void barefxt_sled_exit();
void barefxt_sled_exit_off();
void barefxt_sled_off();
void barefxt_sled_tail();
}

namespace barefxt::sleds {

using Switch = uint8_t;
inline constexpr size_t kBodyWords = 10;
using BodyWord = uint8_t;

inline constexpr bool kHasEvents = true;
inline constexpr uint8_t kShortJump = 0xeb;
inline bool is_sled(const uint8_t* sled, Kind kind) {
  return !is_event(kind) || *sled == kShortJump;
}
inline size_t switch_at(Kind kind) { return is_event(kind) ? 1 : 0; }
inline Switch switch_off(Kind kind) {
  switch (kind) {
    case Kind::kExit:
      return 0xc3;
    case Kind::kCustomEvent:
      return 15;
    case Kind::kTypedEvent:
      return 20;
    default:
      return kShortJump;
  }
}
inline Switch switch_on(Kind kind) {
  if (is_event(kind)) return 0;
  return kind == Kind::kExit ? 0xbf : 0x68;
}

inline fxt::CallAction action_of(Kind kind, const uint8_t* /*sled*/) { return action_of(kind); }

using Trampoline = void (*)();
inline Trampoline trampoline_of(Kind kind) {
  switch (kind) {
    case Kind::kExit:
      return &barefxt_sled_exit;
    case Kind::kTailExit:
      return &barefxt_sled_tail;
    case Kind::kEntryWithArgument:
      return &barefxt_sled_argument;
    default:
      return &barefxt_sled_entry;
  }
}

inline constexpr Trampoline off_of(Kind kind) {
  return kind == Kind::kExit ? &barefxt_sled_exit_off : &barefxt_sled_off;
}

// By kind. Off from the first instruction on: code that stayed patched over a reset leads there,
// too. Set anew ahead of the first sled that is turned on, for images that are moved.
inline constexpr size_t kTargets = 4;
[[gnu::visibility("hidden")]] inline Atomic<Trampoline> targets[kTargets] = {
    Atomic<Trampoline>(off_of(Kind::kEntry)), Atomic<Trampoline>(off_of(Kind::kExit)),
    Atomic<Trampoline>(off_of(Kind::kTailExit)),
    Atomic<Trampoline>(off_of(Kind::kEntryWithArgument))};

inline void set_target(Kind kind, bool calls_are_recorded) {
  targets[static_cast<size_t>(kind)].store_relaxed(calls_are_recorded ? trampoline_of(kind)
                                                                      : off_of(kind));
}

inline constexpr uint32_t kJump = 9;  // how far, off

// The body of the sled there. False: what it calls is out of its reach.
inline bool make_body(const uint8_t* sled, Kind kind, fxt::Word header,
                      BodyWord (&body)[kBodyWords]) {
  const auto put = [&body](size_t at, uint32_t value) {
    for (size_t i = 0; i < sizeof value; ++i) body[at + i] = static_cast<uint8_t>(value >> (8 * i));
  };
  const Atomic<Trampoline>& target = targets[static_cast<size_t>(kind)];
  const auto end = reinterpret_cast<uintptr_t>(sled) + sizeof(Switch) + kBodyWords;
  const auto distance = static_cast<intptr_t>(reinterpret_cast<uintptr_t>(&target) - end);
  const bool is_exit = kind == Kind::kExit;
  put(0, is_exit ? static_cast<uint32_t>(header >> 16)
                 : static_cast<uint32_t>(fxt::CallRecord::Function::in(header) << 8 | kJump));
  body[4] = 0xff;
  body[5] = is_exit ? 0x25 : 0x15;  // jmp or call
  put(6, static_cast<uint32_t>(distance));
  return distance == static_cast<int32_t>(distance);
}

// Returns the program's value of that argument. Arguments that are not in their registers yet are
// moved there one after the other; the register of an earlier one may be the source of a later one.
// The registers' former values have been pushed.
inline uint64_t argument_of(const EventCall& event, uint32_t which) {
  static constexpr uint8_t kRegisters[] = {7, 6, 2};  // rdi, rsi, rdx
  constexpr uint8_t kPush = 0x50;
  constexpr size_t kCallBytes = 5;
  constexpr size_t kMoveBytes = 3;
  constexpr size_t kNotPushedBytes = 4;  // of instructions that do nothing
  // A push and a move have four bytes together as well.
  const uint8_t* at = event.behind - kCallBytes - kNotPushedBytes * event.count;
  uint32_t moved[3];
  uint32_t moves = 0;
  for (uint32_t i = 0; i < event.count; ++i) {
    const bool is_moved = *at == kPush + kRegisters[i];
    at += is_moved ? 1 : kNotPushedBytes;
    if (is_moved) moved[moves++] = i;
  }
  for (uint32_t move = 0; move < moves; ++move, at += kMoveBytes) {
    if (moved[move] != which) continue;
    const uint32_t source = (at[0] & 4U) << 1 | (at[2] >> 3 & 7U);
    for (uint32_t earlier = 0; earlier < move; ++earlier)
      if (source == kRegisters[moved[earlier]]) return event.saved[moves - 1 - earlier];
  }
  return event.arguments[which];
}

inline void clean(const void* /*written*/, size_t /*bytes*/) {
  __asm__ volatile("" : : : "memory");
}
inline void invalidate(const void* /*code*/, size_t /*bytes*/) {}

}  // namespace barefxt::sleds
