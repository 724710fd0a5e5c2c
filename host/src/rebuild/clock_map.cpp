#include "clock_map.h"

#include <limits>

namespace barefxt::host {
namespace {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

// `count` * `to` / `from`, rounded down.
uint64_t scale(uint64_t count, uint64_t to, uint64_t from) {
  __extension__ using Wide = unsigned __int128;
  if (to == 0 || from == 0 || to == from) return count;
  const Wide scaled = static_cast<Wide>(count) * to / from;
  return scaled > kMax ? kMax : static_cast<uint64_t>(scaled);
}

uint64_t sum(uint64_t left, uint64_t right) { return left > kMax - right ? kMax : left + right; }
uint64_t difference(uint64_t left, uint64_t right) { return left > right ? left - right : 0; }

uint64_t nominal(const ClockChange& change, uint64_t ticks, uint64_t rate) {
  if (ticks >= change.since)
    return sum(change.nominal, scale(ticks - change.since, rate, change.ticks_per_second));
  // The begin of a duration that the change fell into.
  return difference(difference(change.nominal, change.gone_by),
                    scale(change.since - ticks, rate, change.ticks_per_second_before));
}

}  // namespace

uint64_t ClockMap::mapped(uint64_t ticks) const {
  const uint64_t own = change_ ? nominal(*change_, ticks, ticks_per_second_) : ticks;
  const auto offset = static_cast<uint64_t>(offset_);
  return offset_ < 0 ? difference(own, -offset) : sum(own, offset);
}

}  // namespace barefxt::host
