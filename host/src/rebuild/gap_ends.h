// Finds where the gaps of one ring end, for viewers: at the first record behind a gap, or where an
// interrupt begins that is recorded later but began within the gap. Perfetto wants slices of one
// thread nested.
//
// Each record is read ahead once, however many gaps are close to it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "ring_cursor.h"

namespace barefxt::host {

class GapEnds {
 public:
  // The end of a gap right before the cursor's record that began at `begin`; nothing if no record
  // with a time follows. To be asked in the ring's order. `cpu_thread`: that of interrupts, by the
  // target's index or by koids.
  std::optional<uint64_t> end_of_gap(const RingCursor& cursor, uint64_t begin,
                                     const ArchiveThread& cpu_thread);

 private:
  struct TimedAhead {
    uint64_t position;
    uint64_t time;
    std::optional<uint64_t> slice_begin;  // of a complete duration
    ArchiveThread thread;
  };
  std::optional<RingCursor> ahead_;
  std::deque<TimedAhead> seen_;  // from the cursor to ahead_
};

}  // namespace barefxt::host
