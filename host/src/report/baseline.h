// A second run beside the first: its lanes in the same drawing, and what differs between both.
#pragma once

#include <string>
#include <vector>

#include <barefxt/host/baseline.h>

#include "drawing.h"

namespace barefxt::report {

struct Baseline {
  std::string archive;  // what it is called
  uint64_t first;       // its time that is drawn where the first run begins
  host::Statistics statistics;
  host::Comparison comparison;
  host::Relevance relevance;
};

// Adds the lanes and items of `old` to `drawing`, with both beginnings at the same place and both
// seconds of the same length, as far as `drawing` lasts. Its numbers stay those of its own run.
Baseline add_baseline(Drawing& drawing, Drawing old, const host::Relevance& relevance);

}  // namespace barefxt::report
