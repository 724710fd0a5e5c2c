// A stretch of time within a random trace, as --from and --to choose it; and what of a trace lies
// in it, counted one by one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <rapidcheck.h>
#include <vector>

#include <barefxt/host/stats.h>

namespace barefxt::test {

struct Stretch {
  uint64_t from;
  uint64_t to;  // one past the last tick; what ends there still counts

  bool has(uint64_t time) const { return from <= time && time <= to; }
  uint64_t count(const std::vector<uint64_t>& times) const {
    return static_cast<uint64_t>(
        std::count_if(times.begin(), times.end(), [this](uint64_t one) { return has(one); }));
  }
  host::StatisticsOptions options() const {
    host::StatisticsOptions options;
    options.selection.from = {true, static_cast<double>(from)};
    options.selection.to = {true, static_cast<double>(to)};
    return options;
  }
};

// Both ends between `first` and `last`.
inline Stretch any_stretch(uint64_t first, uint64_t last) {
  const auto one = *rc::gen::inRange<uint64_t>(first, last + 1);
  const auto other = *rc::gen::inRange<uint64_t>(first, last + 1);
  return {std::min(one, other), std::max(one, other)};
}

// A set of lengths: the count, the sum, and the longest, which is one of them at the reported
// place. Each has a `begin` and an `end`.
template <typename Counted>
void check_lengths(const host::Distribution& reported, const std::vector<Counted>& counted) {
  RC_ASSERT(reported.count() == counted.size());
  uint64_t total = 0;
  uint64_t longest = 0;
  for (const Counted& one : counted) {
    total += one.end - one.begin;
    longest = std::max(longest, one.end - one.begin);
  }
  RC_ASSERT(reported.total() == total);
  RC_ASSERT(reported.longest() == longest);
  if (counted.empty()) return;
  const host::Extent& where = reported.longest_extent();
  RC_ASSERT(where.end - where.begin == longest);
  RC_ASSERT(std::any_of(counted.begin(), counted.end(), [&](const Counted& one) {
    return one.begin == where.begin && one.end == where.end;
  }));
}

}  // namespace barefxt::test
