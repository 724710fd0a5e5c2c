// The times of one CPU's records: how they go on, and where they do not.
#pragma once

#include <cstdint>

namespace barefxt::host {

struct ClockSurvey {
  struct Step {
    uint64_t from = 0;
    uint64_t to = 0;
  };

  uint64_t times = 0;
  uint64_t first = 0;
  uint64_t last = 0;
  uint64_t latest = 0;
  uint64_t earliest = 0;
  uint64_t same = 0;  // as the time before
  uint64_t backward = 0;
  Step first_backward;
  Step largest_ahead;

  // The number of steps back that look like a wrapping counter, and the bits of the first.
  uint64_t wraps = 0;
  unsigned wrap_bits = 0;

  void see(uint64_t time);
};

// Returns the width, 16 to 32 bits, of a counter that wraps from one value to the other; 0 if the
// step does not look like a wrap.
unsigned bits_of_wrap(ClockSurvey::Step step);

}  // namespace barefxt::host
