// The stretch of time that is looked at, and whether anything is in doubt at the moment.
#pragma once

#include <algorithm>

#include <barefxt/host/stats.h>

namespace barefxt::host {

struct Window {
  uint64_t from = 0;
  uint64_t to = ~uint64_t{0};
  Precision precision = Precision::kSketch;
  DistributionRoom* room = nullptr;  // of all distributions

  // Returns the ticks of a stretch that lie within.
  uint64_t ticks(uint64_t begin, uint64_t end) const {
    begin = std::max(begin, from);
    end = std::min(end, to);
    return begin < end ? end - begin : 0;
  }
  // Something counts where it ends.
  bool counts(uint64_t end) const { return from <= end && end <= to; }

  void add(Distribution& lengths, const Extent& extent) const {
    if (counts(extent.end)) lengths.add(extent, precision, room);
  }
};

// Losses as they begin and end. Records between two moments of one epoch are complete, unless
// records are being lost in that epoch.
struct Epoch {
  uint32_t number = 0;
  uint32_t losing = 0;  // CPUs that lose at the moment

  bool whole_since(uint32_t begun) const { return losing == 0 && number == begun; }
};

}  // namespace barefxt::host
