// Two traces compared: which lengths became longer or shorter, beyond what chance makes of them.
//
// Method: for the p50, p90 and p99 of a set of n lengths, the true quantile q lies, with 99 %
// confidence and whatever the lengths are like, between those of ranks n q - d and n q + d, where
// d = 2.576 sqrt(n q (1 - q)). A quantile has changed where the two intervals do not meet. Where a
// rank lies outside 1 ... n there are too few lengths to say anything. That takes lengths to be
// independent of each other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/measures.h>

namespace barefxt::host {

struct Difference {
  std::string metric;
  std::string subject;
  std::string_view statistic;
  bool longer;
  bool worse;        // longer, and not one of a run or of a time blocked: of those neither is worse
  std::string text;  // a sentence
};

struct Comparison {
  std::vector<Difference> differences;
  std::uint64_t compared = 0;   // quantiles
  std::uint64_t too_few = 0;    // lengths, in one of the two or both
  std::uint64_t unmatched = 0;  // sets that only one of the two has
};

Comparison compare(const Statistics& old, const Statistics& now);

}  // namespace barefxt::host
