// Ended durations, until their parent takes them.
#include "children.h"

#include <algorithm>

namespace barefxt::host {
namespace {

void add(Children::Within& sum, const Children::Within& one) {
  sum.ticks += one.ticks;
  sum.calls += one.calls;
  sum.ticks_known = sum.ticks_known && one.ticks_known;
  sum.calls_known = sum.calls_known && one.calls_known;
}

}  // namespace

Children::Within Children::take(std::uint64_t begin, bool call) {
  Within sum;
  while (!ended_.empty() && ended_.back().begin >= begin) {
    host::add(sum, ended_.back().holds);
    ended_.pop_back();
  }
  if (!ended_.empty() && ended_.back().joined && ended_.back().end > begin) {
    // Some of the joined ones are within this duration, so whoever takes both would count them
    // twice. What is no call hands the calls within it on as they are.
    Within& cut = ended_.back().holds;
    sum.ticks_known = cut.ticks_known = false;
    if (call) sum.calls_known = cut.calls_known = false;
  }
  return sum;
}

void Children::add(const Ended& ended, std::size_t first) {
  first = std::min(first, ended_.size());
  if (ended_.size() - first >= kMost) join(first, kMost / 2);
  ended_.push_back(ended);
}

std::size_t Children::begin(std::size_t first) {
  first = std::min(first, ended_.size());
  if (ended_.size() >= kMostInAll && ended_.size() - first > 1) join(first, ended_.size() - first);
  return ended_.size();
}

void Children::join(std::size_t first, std::size_t count) {
  const auto begin = ended_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = begin + static_cast<std::ptrdiff_t>(count);
  Ended all{begin->begin, begin->end, {}, true};
  for (auto one = begin; one != end; ++one) {
    all.begin = std::min(all.begin, one->begin);
    all.end = std::max(all.end, one->end);
    host::add(all.holds, one->holds);
  }
  *begin = all;
  ended_.erase(begin + 1, end);
}

}  // namespace barefxt::host
