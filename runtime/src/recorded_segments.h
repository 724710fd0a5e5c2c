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

// Calls `each(const SegmentHeader&)`. Segments mostly lie in the order of their opening, too, so
// the search for the next starts behind the last.
template <typename Each>
void for_each_segment(const Ring& ring, Each each) {
  uint32_t slot = ring.segments - 1;
  for (uint32_t sequence = 0;; ++sequence) {
    const SegmentHeader* found = nullptr;
    for (uint32_t i = 0; i < ring.segments && found == nullptr; ++i) {
      slot = slot + 1 < ring.segments ? slot + 1 : 0;
      const SegmentHeader& segment = ring.segment(slot);
      if (static_cast<SegmentState>(segment.state.load_acquire()) == SegmentState::kLive &&
          segment.capture == session.capture && segment.sequence == sequence)
        found = &segment;
    }
    if (found == nullptr) return;
    each(*found);
  }
}

}  // namespace barefxt
