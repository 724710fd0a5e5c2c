// Whether a call of a function may be recorded in one word (fxt/ring_record.h), which bears the low
// bits of the counter and no thread: what that refers to stands in a call of the long form ahead of
// it in the segment. A ring keeps here what its newest long call says of itself.
//
// Invariant: a call is written short only where the last long call ahead of it in the segment has
// the same upper bits of time, and the thread that runs is this one's, or that of the last switch
// behind it. Two words, each stored by itself, behind the commit of a long call, by who may have
// been held up since for as long as it likes. They keep the invariant nevertheless:
//   - `segment` is the position from which a long call L was reserved, but for the offset within
//     its segment: sequence number and slot. It is the reader's only if L is in the open segment,
//     and no thread came in unrecorded since L: both change the number. Every long call there names
//     its thread, so the thread is right.
//   - `upper` is of some long call M, of now's upper bits. Behind L in the ring, M is in the same
//     segment. Ahead of it, L lies between M and now, and times in a ring do not decrease: so L has
//     these upper bits, too. And so has every long call from there to the reader.
//   - Whatever comes in between the two loads and the reader's swap makes the swap fail.
//
// What is compared is the position behind the short call. It is in another segment also where the
// call does not fit, and where the ring is closed (position.h): so this one comparison answers
// that, too.
//
// A ring that is opened begins with none: what it held may be of a boot before. Until the first
// start the category is off, and nobody asks.
//
// On a CPU of 32 bits a position's number is 8 bits beside the slot: as with the position itself, a
// writer that is held up while a multiple of 256 segments are opened is left out of account. So is
// a segment there that stays open without a call for 2^52 ticks.
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

  // Whether a call that ends at the position `next` lies in the segment of that long call; and has
  // its upper bits of time. Together: whether it can be told in one word.
  [[gnu::always_inline]] bool serves_segment(PositionWord next) const {
    return segment_.load_relaxed() == segment_of(next);
  }
  [[gnu::always_inline]] bool serves_time(uint64_t ticks) const {
    return upper_.load_relaxed() == upper_bits(ticks);
  }

  // Before the ring is opened. No position is in that segment.
  void clear() { segment_.store_relaxed(~PositionWord{0}); }

  // Of a long call that is committed, and was reserved in that segment.
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
