// A set of lengths in bins whose limits people read at once: 1, 2 and 5 of each power of ten
// nanoseconds.
#pragma once

#include <vector>

#include <barefxt/host/json.h>
#include <barefxt/host/stats.h>

namespace barefxt::host {

struct HistogramBin {
  uint64_t up_to;  // ticks; lengths above the limit of the bin before
  uint64_t count;
};

// From the bin of the shortest to that of the longest length; of an empty set none.
std::vector<HistogramBin> histogram_of(const Statistics& statistics, const Distribution& lengths);

// As `histogram` of the object.
void json_histogram(JsonObject& object, const Statistics& statistics, const Distribution& lengths);

}  // namespace barefxt::host
