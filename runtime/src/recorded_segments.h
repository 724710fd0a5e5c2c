// The segments that a dump tells of, in the order of their opening.
#pragma once

#include <barefxt/ring.h>

#include "session.h"

namespace barefxt {

// The CPUs to tell of: those that recorded, and those beyond that would have.
inline uint16_t told_cpus() {
  uint16_t cpus = session.cpus;
  for (uint16_t cpu = cpus; cpu < BAREFXT_MAX_CPUS; ++cpu)
    if (rings[cpu].records_lost.value() != 0) cpus = cpu + 1;
  return cpus;
}

// The segments of a ring with records of the last session. While this lives nobody overwrites them,
// not even a writer that was interrupted while it looked whether it could.
class RecordedSegments {
 public:
  explicit RecordedSegments(const Ring& ring) : ring_(ring) {
    for (uint32_t slot = 0; slot < ring.segments; ++slot) {
      SegmentHeader& segment = ring.segment(slot);
      if (segment.capture != session.capture) continue;
      if (!swap(segment, SegmentState::kLive)) swap(segment, SegmentState::kLeaving);
    }
    // After that, so that each segment is either read or counted in here.
    overwritten_ = overwritten(ring, session.capture);
  }
  ~RecordedSegments() {
    for (uint32_t slot = 0; slot < ring_.segments; ++slot)
      if (is_held(slot))
        ring_.segment(slot).state.store_release(static_cast<uint32_t>(SegmentState::kLive));
  }
  RecordedSegments(const RecordedSegments&) = delete;
  RecordedSegments& operator=(const RecordedSegments&) = delete;

  const Amount& overwritten_before() const { return overwritten_; }

  // Calls `each(const SegmentHeader&)` in the order of their opening.
  template <typename Each>
  void for_each(Each each) const {
    uint32_t sequence = 0;
    uint32_t guess = 0;
    while (ring_.segments != 0) {
      const uint32_t slot = find(sequence, guess);
      if (slot == ring_.segments) return;
      const SegmentHeader& segment = ring_.segment(slot);
      sequence = segment.sequence + 1;
      guess = slot + 1 < ring_.segments ? slot + 1 : 0;
      each(segment);
    }
  }

 private:
  static bool swap(SegmentHeader& segment, SegmentState from) {
    return segment.state.compare_exchange(static_cast<uint32_t>(from),
                                          static_cast<uint32_t>(SegmentState::kHeld));
  }
  bool is_held(uint32_t slot) const {
    return static_cast<SegmentState>(ring_.segment(slot).state.load_acquire()) ==
           SegmentState::kHeld;
  }

  // The slot of the segment that was opened next at or after `sequence`, or the number of slots.
  // Segments mostly lie in the order of their opening, so `guess` is looked at first.
  uint32_t find(uint32_t sequence, uint32_t guess) const {
    if (is_held(guess) && ring_.segment(guess).sequence == sequence) return guess;
    uint32_t found = ring_.segments;
    for (uint32_t slot = 0; slot < ring_.segments; ++slot) {
      const SegmentHeader& segment = ring_.segment(slot);
      if (!is_held(slot) || segment.sequence < sequence) continue;
      if (found == ring_.segments || segment.sequence < ring_.segment(found).sequence) found = slot;
    }
    return found;
  }

  const Ring& ring_;
  Amount overwritten_;
};

}  // namespace barefxt
