// Limits of bins, and what lies between them.
#include "histogram.h"

#include <algorithm>
#include <array>

namespace barefxt::host {
namespace {

// Rising; the last one is no less than `longest`.
std::vector<uint64_t> limits_for(uint64_t ticks_per_second, uint64_t longest) {
  constexpr unsigned __int128 kNanosecond = 1'000'000'000;
  constexpr uint64_t kMax = ~uint64_t{0};
  std::vector<uint64_t> limits;
  for (unsigned __int128 power = 1; limits.empty() || limits.back() < longest; power *= 10) {
    for (const unsigned step : {1U, 2U, 5U}) {
      const unsigned __int128 ticks = power * step * ticks_per_second / kNanosecond;
      const auto limit = ticks > kMax ? kMax : static_cast<uint64_t>(ticks);
      // If a tick is longer than the bins, several have one limit.
      if (limits.empty() || limit > limits.back()) limits.push_back(limit);
    }
    if (ticks_per_second == 0) return {longest};
  }
  return limits;
}

}  // namespace

std::vector<HistogramBin> histogram_of(const Statistics& statistics, const Distribution& lengths) {
  std::vector<HistogramBin> bins;
  if (lengths.count() == 0) return bins;
  const auto limits = limits_for(statistics.ticks_per_second, lengths.longest());
  const auto counts = lengths.counts_up_to(limits);
  uint64_t before = 0;
  for (size_t i = 0; i < limits.size() && before < lengths.count(); ++i) {
    if (counts[i] > 0) bins.push_back({limits[i], counts[i] - before});
    before = counts[i];
  }
  return bins;
}

void json_histogram(JsonObject& object, const Statistics& statistics, const Distribution& lengths) {
  object.list("histogram", histogram_of(statistics, lengths),
              [&](JsonObject& row, const HistogramBin& bin) {
                row.number("up_to_ticks", bin.up_to);
                row.number("count", bin.count);
              });
}

}  // namespace barefxt::host
