// Sleds on AArch64: eight instructions; the first branches behind the last. Instructions are
// little-endian, also if data are big-endian.
//
// Concurrent modification. The architecture lets one CPU change an instruction while another may
// execute it if both old and new are of a few kinds, B and NOP among them: the other then executes
// one or the other. The switch uses those two. The body needs more: written code goes to memory (DC
// CVAU), is taken out of all CPUs' instruction caches (IC IVAU), and a CPU that might have fetched
// the old has to synchronize its context (an exception, or ISB). The old code is nothing but NOPs
// behind a branch around them, which no CPU executes; but a CPU could hold on to them from when it
// looked ahead. So barefxt_functions_patch asks the kernel to synchronize all CPUs between the
// bodies and the switches, once in the life of a sled.
//
// The body that has registers to itself (barefxt_sled):
//
//     nop | mov x9, x30 | movz, movk, movk x10 | adrp x11 | bl barefxt_sled | mov x30, x9
//
// and the body for places at which any may be in use (barefxt_sled_saving), ahead of a branch by
// register:
//
//     nop | stp x10, x30 | movz, movk, movk x10 | bl barefxt_sled_saving | ldp x10, x30 | nop
//
// An event's, from the compiler:
//
//     b | stp x0, x1 (str x2) | mov x0 | mov x1 (mov x2) | bl __xray_CustomEvent (TypedEvent) | and
//     back again
#pragma once

#include <barefxt/category.h>
#include <barefxt/fxt/ring_record.h>

#include "sled.h"

extern "C" {
void barefxt_sled();
void barefxt_sled_argument();
void barefxt_sled_saving();
}

namespace barefxt::sleds {

using Switch = uint32_t;
inline constexpr size_t kBodyWords = 7;
using BodyWord = uint32_t;

namespace aarch64 {

inline constexpr uint32_t kNop = 0xd503201f;
inline constexpr uint32_t kKeepReturnAddress = 0xaa1e03e9;  // mov x9, x30
inline constexpr uint32_t kGiveItBack = 0xaa0903fe;         // mov x30, x9
inline constexpr uint32_t kPush = 0xa9bf7bea;               // stp x10, x30, [sp, #-16]!
inline constexpr uint32_t kPop = 0xa8c17bea;                // ldp x10, x30, [sp], #16
inline constexpr uint32_t kHeaderRegister = 10;
inline constexpr uint32_t kPageRegister = 11;

constexpr uint32_t in_code(uint32_t instruction) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return __builtin_bswap32(instruction);
#else
  return instruction;
#endif
}

constexpr uint32_t branch_over(uint32_t instructions) { return 0x14000000 | (instructions + 1); }

constexpr uint32_t move_wide(uint32_t base, unsigned part, fxt::Word value) {
  const auto bits = static_cast<uint32_t>(value >> (16 * part)) & 0xffff;
  return base | part << 21 | bits << 5 | kHeaderRegister;
}

// False: out of reach.
inline bool call(uintptr_t from, uintptr_t to, uint32_t& instruction) {
  const auto distance = static_cast<intptr_t>(to - from);
  constexpr intptr_t kReach = intptr_t{1} << 27;
  instruction = 0x94000000 | (static_cast<uint32_t>(distance >> 2) & 0x3ffffff);
  return distance >= -kReach && distance < kReach;
}
inline bool load_page(uintptr_t from, uintptr_t to, uint32_t& instruction) {
  const auto pages = static_cast<intptr_t>(to >> 12) - static_cast<intptr_t>(from >> 12);
  constexpr intptr_t kReach = intptr_t{1} << 20;
  const auto bits = static_cast<uint32_t>(pages);
  instruction = 0x90000000 | (bits & 3) << 29 | (bits >> 2 & 0x7ffff) << 5 | kPageRegister;
  return pages >= -kReach && pages < kReach;
}

// How a function goes on behind the sled at its end.
enum class Leaves : uint8_t { kReturns, kBranches, kBranchesByRegister };
inline Leaves leaves_by(uint32_t instruction) {
  if ((instruction & 0xfc000000) == 0x14000000) return Leaves::kBranches;  // b
  if ((instruction & 0xfffff000) == 0xd65f0000) return Leaves::kReturns;   // ret, retaa
  return Leaves::kBranchesByRegister;                                      // or unknown
}

}  // namespace aarch64

inline constexpr bool kHasEvents = true;
inline bool is_sled(const uint8_t* /*sled*/, Kind /*kind*/) { return true; }
inline size_t switch_at(Kind /*kind*/) { return 0; }
inline Switch switch_off(Kind kind) {
  constexpr uint32_t kCustomEventWords = 5;
  constexpr uint32_t kTypedEventWords = 8;
  uint32_t words = kBodyWords;
  if (kind == Kind::kCustomEvent) words = kCustomEventWords;
  if (kind == Kind::kTypedEvent) words = kTypedEventWords;
  return aarch64::in_code(aarch64::branch_over(words));
}
inline Switch switch_on(Kind /*kind*/) { return aarch64::in_code(aarch64::kNop); }

inline fxt::CallAction action_of(Kind kind, const uint8_t* sled) {
  using namespace aarch64;
  if (kind == Kind::kEntryWithArgument) return fxt::CallAction::kEntryWithArgument;
  if (kind != Kind::kExit) return fxt::CallAction::kEntry;
  const auto* behind = reinterpret_cast<const uint32_t*>(sled) + 1 + kBodyWords;
  return leaves_by(in_code(*behind)) == Leaves::kReturns ? fxt::CallAction::kExit
                                                         : fxt::CallAction::kTailExit;
}

// The body of the sled there. False: what it calls is out of its reach.
inline bool make_body(const uint8_t* sled, Kind kind, fxt::Word header,
                      BodyWord (&body)[kBodyWords]) {
  using namespace aarch64;
  const auto begin = reinterpret_cast<uintptr_t>(sled) + sizeof(Switch);
  const auto at = [begin](size_t word) { return begin + word * sizeof(uint32_t); };
  const auto* behind = reinterpret_cast<const uint32_t*>(sled) + 1 + kBodyWords;
  const bool saves =
      kind == Kind::kExit && leaves_by(in_code(*behind)) == Leaves::kBranchesByRegister;
  void (*const trampoline)() =
      kind == Kind::kEntryWithArgument ? &barefxt_sled_argument : &barefxt_sled;
  bool reaches = true;
  body[0] = saves ? kPush : kKeepReturnAddress;
  body[1] = move_wide(0xd2800000, 0, header);
  body[2] = move_wide(0xf2800000, 1, header);
  body[3] = move_wide(0xf2800000, 2, header);
  if (saves) {
    reaches = call(at(4), reinterpret_cast<uintptr_t>(&barefxt_sled_saving), body[4]);
    body[5] = kPop;
    body[6] = kNop;
  } else {
    reaches = load_page(at(4), reinterpret_cast<uintptr_t>(&barefxt_enabled_categories), body[4]) &&
              call(at(5), reinterpret_cast<uintptr_t>(trampoline), body[5]);
    body[6] = kGiveItBack;
  }
  for (BodyWord& word : body) word = in_code(word);
  return reaches;
}

// Returns the program's value of that argument. Clang moves one after the other to its register;
// the register of an earlier one may be the source of a later one.
inline uint64_t argument_of(const EventCall& event, uint32_t which) {
  const auto* moves = reinterpret_cast<const uint32_t*>(event.behind) - 1 - event.count;
  const uint32_t source = aarch64::in_code(moves[which]) >> 16 & 0x1f;
  return source < which ? event.saved[source] : event.arguments[which];
}

// Makes the code stored at `written`, which is the writable address of `code`, visible to
// instruction fetches.
inline void clean(const void* written, size_t bytes) {
  uint64_t type = 0;
  __asm__ volatile("mrs %0, ctr_el0" : "=r"(type));
  const uintptr_t line = uintptr_t{4} << (type >> 16 & 0xf);
  const auto begin = reinterpret_cast<uintptr_t>(written);
  for (uintptr_t at = begin & ~(line - 1); at < begin + bytes; at += line)
    __asm__ volatile("dc cvau, %0" : : "r"(at) : "memory");
  __asm__ volatile("dsb ish" : : : "memory");
}
// And out of all CPUs' instruction caches.
inline void invalidate(const void* code, size_t bytes) {
  uint64_t type = 0;
  __asm__ volatile("mrs %0, ctr_el0" : "=r"(type));
  const uintptr_t line = uintptr_t{4} << (type & 0xf);
  const auto begin = reinterpret_cast<uintptr_t>(code);
  for (uintptr_t at = begin & ~(line - 1); at < begin + bytes; at += line)
    __asm__ volatile("ic ivau, %0" : : "r"(at) : "memory");
  __asm__ volatile("dsb ish\n\tisb" : : : "memory");
}

}  // namespace barefxt::sleds
