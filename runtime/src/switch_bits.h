// barefxt_thread::switch_bits: the bits of a thread in a context switch record, placed so that the
// record's header is a sum.
//
// Shifted by kOutgoingShift the index and the priority lie in the places of the outgoing thread,
// shifted by kIncomingShift in those of the incoming one. The bits of a thread with an index are
// stored with their sign turned, and subtracted: one test of two threads' bits shows if both have
// one, and no flag stands in the way of the sum.
#pragma once

#include <barefxt/fxt/scheduling.h>
#include <barefxt/ring.h>

namespace barefxt::switch_bits {

using Header = fxt::LegacyContextSwitch;
using Index = fxt::Field<4, 11>;
using Priority = fxt::Field<20, 27>;
// Set by the turned sign, and by nothing else.
inline constexpr uint32_t kHasIndex = uint32_t{1} << 31;
// Marks a thread that was unregistered, and so has no index: no header is a sum with this. It is
// also set in the bits of a thread with an index.
inline constexpr uint32_t kGone = uint32_t{1} << 30;
constexpr bool is_gone(uint32_t bits) { return (bits & (kHasIndex | kGone)) == kGone; }

inline constexpr unsigned kOutgoingShift = Header::OutgoingThread::kFirst - Index::kFirst;
inline constexpr unsigned kIncomingShift = Header::IncomingThread::kFirst - Index::kFirst;
static_assert(Header::OutgoingPriority::kFirst - Priority::kFirst == kOutgoingShift);
static_assert(Header::IncomingPriority::kFirst - Priority::kFirst == kIncomingShift);
// Below the index there is room for the state, which lies below it in the header, too.
static_assert(Header::OutgoingState::kFirst == kOutgoingShift);

// The common part of all headers of a CPU. It lies below the outgoing thread, so nothing carries.
constexpr uint32_t header_of_cpu(uint32_t cpu) {
  return static_cast<uint32_t>(
      Header::make(Header::kFixedWords, cpu, fxt::ThreadState::kNew, {}, {}, 0, 0));
}
static_assert(header_of_cpu(BAREFXT_MAX_CPUS - 1) < uint32_t{1} << kOutgoingShift);

// The part of it that is added before a reservation: all, if there is one CPU.
inline constexpr uint32_t kKnownHeader = BAREFXT_MAX_CPUS == 1 ? header_of_cpu(0) : 0;
// Completes a header behind the reservation. On CPUs of 32 bits compilers would add 64.
[[gnu::always_inline]] inline fxt::Word complete(fxt::Word header, uintptr_t rest) {
  if constexpr (BAREFXT_MAX_CPUS == 1) return header;
  if constexpr (sizeof(uintptr_t) == sizeof header) return header + rest;
  const uint32_t lower = static_cast<uint32_t>(header) + static_cast<uint32_t>(rest);
  return (header >> 32) << 32 | lower;
}

// The sum of both threads' bits, each in its place, of the state, and of what is known of the
// header. Without a meaning if one of them has no index. Made here and not from its parts after a
// reservation.
[[gnu::always_inline]] inline fxt::Word sum(uint32_t outgoing, barefxt_thread_state state,
                                            uint32_t incoming) {
  uint32_t leaving = static_cast<uint32_t>(state) - outgoing;
#if UINTPTR_MAX > 0xffffffff
#ifdef __riscv
  // Not negative, so with its sign, which takes no instruction here.
  const auto wide = static_cast<fxt::Word>(int64_t{static_cast<int32_t>(leaving)});
#else
  const fxt::Word wide = leaving;
#endif
  fxt::Word sum = (wide << kOutgoingShift) - (fxt::Word{incoming} << kIncomingShift) + kKnownHeader;
  __asm__("" : "+r"(sum));
  return sum;
#else
  static_assert(kIncomingShift == 32);
  uint32_t lower = (leaving << kOutgoingShift) + kKnownHeader;
  // In this order the upper half takes the register of what it is made from.
  __asm__("" : "+r"(lower), "+r"(leaving));
  uint32_t upper = (leaving >> (32 - kOutgoingShift)) - incoming;
  __asm__("" : "+r"(upper));
  return fxt::Word{upper} << 32 | lower;
#endif
}

constexpr uint32_t make(uint32_t index, uint8_t priority) {
  const auto bits = static_cast<uint32_t>(Index::of(index) | Priority::of(priority));
  return index != 0 ? 0 - bits : bits;
}
constexpr uint32_t index(uint32_t bits) {
  return (bits & kHasIndex) != 0 ? static_cast<uint32_t>(Index::in(0 - bits)) : 0;
}
constexpr uint8_t priority(uint32_t bits) {
  return static_cast<uint8_t>(Priority::in((bits & kHasIndex) != 0 ? 0 - bits : bits));
}
constexpr uint32_t with_priority(uint32_t bits, uint8_t priority) {
  if ((bits & kHasIndex) != 0) return make(index(bits), priority);
  return static_cast<uint32_t>((bits & ~Priority::kMask) | Priority::of(priority));
}
static_assert((make(1, 0) & make(255, 255) & kHasIndex) != 0 && (make(0, 255) & kHasIndex) == 0);

}  // namespace barefxt::switch_bits
