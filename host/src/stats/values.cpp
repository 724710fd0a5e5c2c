// Values weighed by the time they stood.
#include "values.h"

#include <bit>

namespace barefxt::host {

void Values::weigh(Series& series, uint64_t now) const {
  if (!series.stands) return;
  const uint64_t ticks = window_.ticks(series.since, now);
  series.sum.weighted += static_cast<long double>(series.value) * ticks;
  series.sum.covered += ticks;
  series.since = now;
}

void Values::add(const Moment& moment) {
  if (series_.size() <= moment.label) series_.resize(names_.series.size());
  Series& series = series_[moment.label];
  weigh(series, moment.time);
  const auto kind = static_cast<ValueKind>(moment.state);
  __int128 whole = 0;
  if (kind == ValueKind::kSigned) whole = static_cast<int64_t>(moment.b);
  if (kind == ValueKind::kUnsigned) whole = moment.b;
  const double real =
      kind == ValueKind::kReal ? std::bit_cast<double>(moment.b) : static_cast<double>(whole);
  series.value = real;
  series.since = moment.time;
  if (!series.stands && epoch_.losing == 0) standing_.push_back(moment.label);
  series.stands = epoch_.losing == 0;
  if (!window_.counts(moment.time)) return;
  CounterStatistics& sum = series.sum;
  const bool first = sum.samples == 0;
  sum.real = sum.real || kind == ValueKind::kReal;
  if (first || real < sum.least_real) sum.least_at = moment.time;
  sum.least = first ? whole : std::min(sum.least, whole);
  sum.most = first ? whole : std::max(sum.most, whole);
  sum.least_real = first ? real : std::min(sum.least_real, real);
  sum.most_real = first ? real : std::max(sum.most_real, real);
  sum.last = whole;
  sum.last_real = real;
  sum.sum += real;
  ++sum.samples;
}

void Values::lose(uint64_t time) {
  for (const uint32_t number : standing_) {
    weigh(series_[number], time);
    series_[number].stands = false;
  }
  standing_.clear();
}

void Values::finish(uint64_t end) {
  for (size_t i = 0; i < series_.size(); ++i) {
    Series& series = series_[i];
    weigh(series, end);
    if (series.sum.samples + series.sum.covered == 0) continue;
    const Keys::Key& key = names_.series[static_cast<uint32_t>(i)];
    statistics_.counters[{names_.labels[key.label], key.number.value_or(0),
                          names_.arguments[key.second].name}] = series.sum;
  }
}

}  // namespace barefxt::host
