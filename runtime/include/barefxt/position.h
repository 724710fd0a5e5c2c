// The place of a ring's next record, in one word (ring.h).
//
// Invariant: a writer that reserves, crosses to another segment, opens or closes the ring changes
// the word. So does a thread that comes in without a record of it. A swap that succeeds from a
// loaded value therefore proves that none of this happened in between.
#pragma once

#include <barefxt/segment.h>

namespace barefxt {

using PositionWord = uintptr_t;

struct Position {
#ifdef BAREFXT_POSITION_SEQUENCE_BITS  // for tests: as few as CPUs of 32 bits have
  static constexpr unsigned kOffsetBits = 8 * sizeof(PositionWord) - BAREFXT_POSITION_SEQUENCE_BITS;
#else
  static constexpr unsigned kOffsetBits = sizeof(PositionWord) == 8 ? 32 : 24;
#endif
  static constexpr PositionWord kOffsetMask = (PositionWord{1} << kOffsetBits) - 1;
  static constexpr PositionWord kSequenceUnit = PositionWord{1} << kOffsetBits;
  static constexpr PositionWord kSegmentMask = kSegmentBytes - 1;

  // In the ring's memory. The lower half of a long word with its sign, which is never set: on
  // RISC-V that takes an instruction less than a mask.
  static constexpr PositionWord kMaxOffset =
      sizeof(PositionWord) == 8 ? PositionWord{0x7fffffff} : kOffsetMask;
  static constexpr PositionWord offset(PositionWord word) {
    if constexpr (sizeof word == 8)
      return static_cast<PositionWord>(static_cast<int32_t>(word));
    else
      return word & kOffsetMask;
  }

  // Closed positions lie within the last word of the segment that was the last, which no record
  // uses: a record from there on would end behind the boundary, as any record that does not fit.
  // The place within the word is the reason. Stopped is all ones, so one `or` stops a ring in any
  // state. Zero, a ring that was never started, counts as stopped, too. At the word's begin a
  // position is open, with no room left.
  static constexpr PositionWord kReasonMask = 7;
  static constexpr PositionWord kStopped = kSegmentMask;
  static constexpr PositionWord kFull = kSegmentMask - kReasonMask + 1;

  static constexpr bool is_closed(PositionWord word) {
    return (word & kReasonMask) != 0 || word == 0;
  }
  // Closed for that reason: then nothing is being recorded, and nothing counts as lost.
  static constexpr bool is_stopped(PositionWord word) {
    return (word & kReasonMask) == (kStopped & kReasonMask) || word == 0;
  }
  static constexpr bool is_full(PositionWord word) {
    return (word & kReasonMask) == (kFull & kReasonMask);
  }
  static constexpr PositionWord closed(PositionWord word, PositionWord why) {
    return ((word & ~kSegmentMask) + kSequenceUnit) | why;
  }
  // Returns true if a reservation that moves the position to `next` stays within an open segment.
  // One comparison suffices: if it crosses the boundary, or starts from a closed position, the rest
  // of the offset is no more than the record's own size and the reason. The last word of a segment
  // is never used, which keeps it free for closed positions.
  static constexpr bool fits(PositionWord next, uint32_t bytes) {
    return (next & kSegmentMask) > bytes + kReasonMask;
  }
  // The same for a record of constant size. If that rest is below some power of two, and no record
  // behind a segment's header ends below it, a test of the bits above is enough.
  template <uint32_t bytes>
  static bool fits(PositionWord next) {
    constexpr PositionWord kLimit = power_of_two_from(bytes + kReasonMask + 1);
    if constexpr (kLimit > kSegmentHeaderBytes + bytes) return fits(next, bytes);
#if defined(__riscv)
    // A shift and a short mask take one instruction less than a mask of more than 11 bits.
    // Compilers do not find this by themselves.
    PositionWord rest = (next & kSegmentMask) / kLimit;
    __asm__("" : "+r"(rest));
    return rest != 0;
#else
    return (next & kSegmentMask & ~(kLimit - 1)) != 0;
#endif
  }

 private:
  static constexpr PositionWord power_of_two_from(PositionWord least) {
    PositionWord power = 1;
    while (power < least) power *= 2;
    return power;
  }
};
static_assert(kSegmentHeaderBytes > Position::kReasonMask, "an open position never looks closed");
static_assert(Position::is_closed(0) && Position::is_stopped(0) &&
              Position::is_closed(Position::kStopped) && Position::is_stopped(Position::kStopped) &&
              Position::is_closed(Position::kFull) && !Position::is_stopped(Position::kFull) &&
              !Position::is_closed(Position::kFull - 1));

}  // namespace barefxt
