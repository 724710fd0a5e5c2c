// The place of a ring's next record, in one word (ring.h).
//
// Invariant: a writer that reserves, crosses to another segment, opens or closes the ring changes
// the word. So does a thread that comes in without a record of it. A swap that succeeds from a
// loaded value therefore proves that none of this happened in between.
#pragma once

#include <barefxt/port_lock.h>
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
#elif defined(__ARM_ARCH_6M__) && !defined(__clang__)
    // No mask fits an instruction, but the second shift sets the flags. GCC does not find this, and
    // clang loses a register by it.
    constexpr int kAbove = 8 * sizeof next - __builtin_ctz(kSegmentBytes);
    PositionWord rest = next << kAbove;
    __asm__("" : "+r"(rest));
    return rest >> (kAbove + __builtin_ctz(kLimit)) != 0;
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

#if BAREFXT_PORT_LOCKS_
// The position of a ring on CPUs without compare-and-swap. Its own CPU swaps it without the lock,
// in a window with interrupts masked. Other CPUs swap it under the lock, outside of that window.
// Invariants, by a full fence between the two steps of either side:
// - The own CPU opens its window, then looks if another is at work on the word. If so, it closes
//   the window again and takes the lock like the others.
// - The other announces itself, then waits until the window is closed, a few instructions. If it is
//   not closed in time, that CPU stands still: a swap fails, and a stop stores nevertheless.
// - A context that finds its own CPU's window open interrupted it (NMI, HardFault). Its swap fails.
class RingPosition {
 public:
  RingPosition() = default;
  RingPosition(const RingPosition&) = delete;
  RingPosition& operator=(const RingPosition&) = delete;

  PositionWord load_relaxed() const { return BAREFXT_LOAD_RELAXED_(word_); }
  PositionWord load_acquire() const { return barefxt::load_acquire(word_); }
  PositionWord load_consume() const { return load_relaxed(); }

  void store_release(PositionWord value) {
    update([value](PositionWord) { return value; });
  }
  PositionWord fetch_or(PositionWord bits) {
    return update([bits](PositionWord before) { return before | bits; });
  }
  PositionWord fetch_add_release(PositionWord value) {
    return update([value](PositionWord before) { return before + value; });
  }

  // From the ring's own CPU; else it fails.
  bool compare_exchange_weak(PositionWord expected, PositionWord desired) {
    const uintptr_t interrupts = barefxt_port_interrupt_save();
    bool is_swapped = false;
    if (is_own() && BAREFXT_LOAD_RELAXED_(has_window_) == 0) {
      BAREFXT_STORE_RELAXED_(has_window_, 1);
      __atomic_thread_fence(__ATOMIC_SEQ_CST);
      is_swapped = BAREFXT_LOAD_RELAXED_(is_wanted_) == 0 && load_relaxed() == expected;
      if (is_swapped) BAREFXT_STORE_RELAXED_(word_, desired);
      __atomic_thread_fence(__ATOMIC_RELEASE);
      BAREFXT_STORE_RELAXED_(has_window_, 0);
    }
    barefxt_port_interrupt_restore(interrupts);
    return is_swapped;
  }

  bool compare_exchange(PositionWord expected, PositionWord desired) {
    return compare_exchange_if(expected, desired, [] { return true; });
  }
  // If `holds` returns true, asked where nothing comes between its answer and the store.
  template <typename Holds>
  bool compare_exchange_if(PositionWord expected, PositionWord desired, Holds holds) {
    const Access access(*this);
    const bool is_swapped = access.is_alone() && load_relaxed() == expected && holds();
    if (is_swapped) BAREFXT_STORE_RELAXED_(word_, desired);
    return is_swapped;
  }

 private:
  // The lock, and the own CPU outside of its window.
  class Access {
   public:
    explicit Access(RingPosition& position) : position_(position) {
      if (!lock_.is_held()) return;
      BAREFXT_STORE_RELAXED_(position.is_wanted_, 1);
      __atomic_thread_fence(__ATOMIC_SEQ_CST);
      for (unsigned left = kMaxStores; left != 0 && !is_alone_; --left)
        is_alone_ = BAREFXT_LOAD_RELAXED_(position.has_window_) == 0;
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
    }
    ~Access() {
      if (!lock_.is_held()) return;
      __atomic_thread_fence(__ATOMIC_RELEASE);
      BAREFXT_STORE_RELAXED_(position_.is_wanted_, 0);
    }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

    bool is_alone() const { return is_alone_; }

   private:
    PortLock lock_;
    RingPosition& position_;
    bool is_alone_ = false;
  };

  template <typename Next>
  PositionWord update(Next next) {
    const Access access(*this);
    const PositionWord before = load_relaxed();
    BAREFXT_STORE_RELAXED_(word_, next(before));
    return before;
  }

  inline bool is_own() const;  // interrupts masked: the ring is that of the caller's CPU

  PositionWord word_ = 0;
  uint8_t has_window_ = 0;
  uint8_t is_wanted_ = 0;
};
#else
using RingPosition = Atomic<PositionWord>;
#endif

}  // namespace barefxt
