// The segments of a ring that are read, and protected from being overwritten meanwhile.
//
// Holding is a swap of the state, so no writer can be in the middle of overwriting a held segment.
// The sum of overwritten records is taken after it, so each record is either read or counted there.
//
// In a streaming ring nothing is overwritten, and only the drain holds: the state means that a
// segment is being sent, or kept. A dump beside it changes no state, or neither would know its own
// segments from the other's. Instead it stores the segment that it reads in `segment_in_dump`, and
// the drain does not clear that one.
#pragma once

#include "trace.h"

#if !BAREFXT_LINEAR

namespace barefxt {

// The segment of a streaming session that a dump reads now; null: none. A dump stores it and then
// looks if the drain clears the segment. The drain marks that by the state, and then looks here.
// Between the two steps of each lies a full fence, so one of them at least sees the other.
[[gnu::visibility("hidden")]] extern Atomic<const SegmentHeader*> segment_in_dump;

inline bool is_streaming(const Ring& ring) {
  return has_mode(wire::Mode::kStreaming) && ring.mode() == wire::Mode::kStreaming;
}

// A record in a segment that a snapshot holds was given up since.
void count_lost_in_snapshot(uint32_t cpu, uint32_t bytes);

// A segment that was prepared and is not published has the sequence number of another, and nothing
// in it.
inline bool is_empty(const SegmentHeader& segment) {
  SegmentWalker walker(segment);
  SegmentWalker::Record record;
  return segment.end.load_acquire() == 0 && !walker.next(record);
}

// By swaps: an empty segment may belong to its preparer, which takes it back without asking. A
// segment that was leaving still is, unless the writer that looked at it has seen that it is too
// late.
inline void let_go(SegmentHeader& segment) {
  if constexpr (!kHolds) return;
  if (swap_state(segment, SegmentState::kHeldLeaving, SegmentState::kLeaving)) return;
  swap_state(segment, SegmentState::kHeld, SegmentState::kLive);
}

// Holds a segment of the capture that has records. False: it has none. The look comes after the
// hold: before, the segment might become another between look and swap.
inline bool hold(SegmentHeader& segment, uint32_t capture) {
  if (!is_of(segment, capture)) return false;
  // Repeats only if a writer began or ended a look at it between the two.
  unsigned left = 64;
  while (!swap_state(segment, SegmentState::kLive, SegmentState::kHeld) &&
         !swap_state(segment, SegmentState::kLeaving, SegmentState::kHeldLeaving)) {
    if (!BAREFXT_SMALL && --left == 0) return false;
    const SegmentState now = state_of(segment);
    if (now != SegmentState::kLive && now != SegmentState::kLeaving) return false;
  }
  if (!is_empty(segment)) return true;
  let_go(segment);
  return false;
}

// The held segments of a ring, or those with records of a streaming one, in the order of their
// opening.
class HeldSegments {
 public:
  HeldSegments(const Ring& ring, uint32_t capture) : ring_(ring), capture_(capture) {}

  void hold_all() const {
    if (!holds()) return;
    for (uint32_t slot = 0; slot < ring_.segments; ++slot) hold(ring_.segment(slot), capture_);
  }
  void let_go_all() const {
    for (uint32_t slot = 0; slot < ring_.segments; ++slot)
      if (is_ours(slot)) barefxt::let_go(ring_.segment(slot));
  }

  // Returns the next one, or null. Each is returned once, even if it is let go meanwhile.
  SegmentHeader* next() {
    if (ring_.segments == 0) return nullptr;
    while (true) {
      const uint32_t slot = find();
      if (slot == ring_.segments) return nullptr;
      SegmentHeader& segment = ring_.segment(slot);
      const uint32_t sequence = segment.sequence;
      if (!begin_to_read(slot, sequence)) continue;
      has_begun_ = true;
      sequence_ = sequence + 1;
      guess_ = slot + 1 < ring_.segments ? slot + 1 : 0;
      return &segment;
    }
  }

  // The one that was given out last.
  void let_go(SegmentHeader& segment) const {
    if (is_streaming(ring_))
      segment_in_dump.store_release(nullptr);
    else
      barefxt::let_go(segment);
  }

 private:
  bool holds() const { return kHolds && !is_streaming(ring_); }

  // False: the drain has given it back meanwhile, and it may be another by now.
  bool begin_to_read(uint32_t slot, uint32_t sequence) const {
    if (!is_streaming(ring_)) return true;
    const SegmentHeader& segment = ring_.segment(slot);
    segment_in_dump.store_release(&segment);
    full_fence();
    if (is_ours(slot) && segment.sequence == sequence) return true;
    segment_in_dump.store_release(nullptr);
    return false;
  }

  // Once, for less flash.
  [[gnu::noinline]] bool is_ours(uint32_t slot) const {
    const SegmentHeader& segment = ring_.segment(slot);
    if (!is_of(segment, capture_)) return false;
    if (holds()) return is_held(state_of(segment));
    return holds_records(state_of(segment)) && !is_empty(segment);
  }

  // Segments mostly lie in the order of their opening, so the guess is looked at first.
  uint32_t find() const {
    if (kFastPaths && has_begun_ && is_ours(guess_) && ring_.segment(guess_).sequence == sequence_)
      return guess_;
    uint32_t found = ring_.segments;
    for (uint32_t slot = 0; slot < ring_.segments; ++slot) {
      if (!is_ours(slot)) continue;
      const uint32_t sequence = ring_.segment(slot).sequence;
      if (has_begun_ && is_before(sequence, sequence_)) continue;
      if (found == ring_.segments || is_before(sequence, ring_.segment(found).sequence))
        found = slot;
    }
    return found;
  }

  const Ring& ring_;
  uint32_t capture_;
  bool has_begun_ = false;
  uint32_t sequence_ = 0;  // of the next one or those behind it
  uint32_t guess_ = 0;
};

}  // namespace barefxt

#endif
