// barefxt_thread::switch_bits: the bits of a thread in a context switch record, placed so that the
// record's header is a sum.
//
// Shifted by kOutgoingShift the index and the priority lie in the places of the outgoing thread,
// shifted by kIncomingShift in those of the incoming one. The flag of each thread then stands in
// the way: two threads with indices add a constant to the header, kFlags, which header_of_cpu has
// taken off already.
#pragma once

#include <barefxt/fxt/scheduling.h>
#include <barefxt/ring.h>

namespace barefxt::switch_bits {

using Header = fxt::LegacyContextSwitch;
using Index = fxt::Field<4, 11>;
using Priority = fxt::Field<20, 27>;
inline constexpr uint32_t kHasIndex = uint32_t{1} << 31;
// Marks a thread that was unregistered, and so has no index: no header is a sum with this.
inline constexpr uint32_t kGone = uint32_t{1} << 30;

inline constexpr unsigned kOutgoingShift = Header::OutgoingThread::kFirst - Index::kFirst;
inline constexpr unsigned kIncomingShift = Header::IncomingThread::kFirst - Index::kFirst;
static_assert(Header::OutgoingPriority::kFirst - Priority::kFirst == kOutgoingShift);
static_assert(Header::IncomingPriority::kFirst - Priority::kFirst == kIncomingShift);
// Below the index there is room for the state, which lies below it in the header, too.
static_assert(Header::OutgoingState::kFirst == kOutgoingShift);

inline constexpr fxt::Word kFlags =
    (fxt::Word{kHasIndex} << kOutgoingShift) + (fxt::Word{kHasIndex} << kIncomingShift);

// On CPUs of 32 bits compilers would add the lower half's zeros, too, but for Thumb-2 code, which
// has them in a register anyway.
#ifdef __thumb2__
inline constexpr bool kAddsInHalves = BAREFXT_MAX_CPUS == 1;
#else
inline constexpr bool kAddsInHalves = sizeof(uintptr_t) < sizeof(fxt::Word);
#endif

// The common part of all headers of a CPU, less the flags that both threads' bits add.
constexpr fxt::Word header_of_cpu(uint32_t cpu) {
  return Header::make(Header::kFixedWords, cpu, fxt::ThreadState::kNew, {}, {}, 0, 0) - kFlags;
}

// The part of it that is added before a reservation: all, if there is one CPU.
inline constexpr fxt::Word kKnownHeader = BAREFXT_MAX_CPUS == 1 ? header_of_cpu(0) : 0;
// And behind it.
inline fxt::Word rest_of_header(const Ring& ring) {
  return BAREFXT_MAX_CPUS == 1 ? 0 : ring.switch_header;
}

// The sum of both threads' bits, each in its place, and of what is known of the header; made here
// and not from its parts after a reservation.
[[gnu::always_inline]] inline fxt::Word sum(uint32_t outgoing, uint32_t incoming) {
  if constexpr (!kAddsInHalves) {
    fxt::Word sum = (fxt::Word{outgoing} << kOutgoingShift) +
                    (fxt::Word{incoming} << kIncomingShift) + kKnownHeader;
    __asm__("" : "+r"(sum));
    return sum;
  } else {
    static_assert(kIncomingShift == 32);
    // The outgoing thread has nothing in the lowest bits, so no sum there carries.
    static_assert(static_cast<uint32_t>(kKnownHeader) < uint32_t{1} << kOutgoingShift);
    uint32_t upper =
        incoming + (outgoing >> (32 - kOutgoingShift)) + static_cast<uint32_t>(kKnownHeader >> 32);
    uint32_t lower = (outgoing << kOutgoingShift) + static_cast<uint32_t>(kKnownHeader);
    __asm__("" : "+r"(upper), "+r"(lower));
    return fxt::Word{upper} << 32 | lower;
  }
}

constexpr uint32_t make(uint32_t index, uint8_t priority) {
  return static_cast<uint32_t>(Index::of(index) | Priority::of(priority)) |
         (index != 0 ? kHasIndex : 0);
}
constexpr uint32_t with_priority(uint32_t bits, uint8_t priority) {
  return static_cast<uint32_t>((bits & ~Priority::kMask) | Priority::of(priority));
}
constexpr uint32_t index(uint32_t bits) { return static_cast<uint32_t>(Index::in(bits)); }
constexpr uint8_t priority(uint32_t bits) { return static_cast<uint8_t>(Priority::in(bits)); }

}  // namespace barefxt::switch_bits
