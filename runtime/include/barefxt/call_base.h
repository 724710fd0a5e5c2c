// Decides if a call of a function may be recorded in one word (fxt/ring_record.h). That word has
// the low bits of the counter and no thread. A call of the long form ahead of it in the segment has
// the rest. Here a ring keeps what it needs to know of its newest long call.
//
// Invariant: a call is written short only if the last long call ahead of it in the segment has the
// same upper bits of time, and the running thread is the thread of that call, or of the last switch
// behind it. There are two words. Each is stored by itself, behind the commit of a long call, by a
// writer that may have been held up since for any time. They keep the invariant nevertheless:
// - `segment` is the position from which a long call L was reserved, without the offset within its
//   segment: sequence number and slot. It equals the reader's only if L is in the open segment, and
//   no thread came in unrecorded since L: both change the number. Every long call there names its
//   thread, so the thread is right.
// - `upper` belongs to some long call M, and equals the upper bits of the present time. If M lies
//   behind L in the ring, it is in the same segment. If M lies ahead of L, then L lies between M
//   and now; times in a ring do not decrease, so L has these upper bits, too. The same holds for
//   every long call from there to the reader.
// - If anything comes in between the two loads and the reader's swap, the swap fails.
//
// The position behind the short call is compared. It is in another segment also if the call does
// not fit, and if the ring is closed (position.h). So this one comparison answers both questions.
//
// A ring that is opened begins with no long call: it may hold records of a boot before. Until the
// first start the category is off, and no hook asks.
//
// On a CPU of 32 bits a position's number is 8 bits beside the slot. As with the position itself, a
// writer that is held up while a multiple of 256 segments are opened is not considered. Neither is
// a segment that stays open without a call for 2^52 ticks.
#pragma once

#include <stdint.h>

#include <barefxt/fxt/ring_record.h>
#include <barefxt/position.h>

namespace barefxt {

class CallBase {
 public:
  // The part of a position that is another in every segment.
  static constexpr PositionWord segment_of(PositionWord position) {
    return position / kSegmentBytes;
  }

  // Return true if a call that ends at the position `next` lies in the segment of that long call,
  // and if the time has its upper bits. If both are true, one word records the call.
  [[gnu::always_inline]] bool serves_segment(PositionWord next) const {
    return segment_.load_relaxed() == segment_of(next);
  }
  [[gnu::always_inline]] bool serves_time(uint64_t ticks) const {
    return upper_.load_relaxed() == upper_bits(ticks);
  }

  // Before the ring is opened. No position is in that segment.
  void clear() { segment_.store_relaxed(~PositionWord{0}); }

  // Notes a long call that is committed, and was reserved in that segment.
  void set(PositionWord segment, uint64_t ticks) {
    upper_.store_relaxed(upper_bits(ticks));
    segment_.store_relaxed(segment);
  }

 private:
  static uintptr_t upper_bits(uint64_t ticks) {
    constexpr unsigned kBits = fxt::CallRecord::Counter::kBits;
    if constexpr (sizeof(uintptr_t) == sizeof ticks) return ticks >> kBits;
    // The upper half as it is made (clock.h): clang takes that apart, and masks what it shifts.
    auto upper = static_cast<uint32_t>(ticks >> 32);
    __asm__("" : "+r"(upper));
    return upper << (32 - kBits) | static_cast<uint32_t>(ticks) >> kBits;
  }

  Atomic<PositionWord> segment_;
  Atomic<uintptr_t> upper_;
};

}  // namespace barefxt
