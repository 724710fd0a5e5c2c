#include "levels.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "bytes.h"

namespace barefxt::report {
namespace {

constexpr size_t kFinest = kLevelBuckets[0];

// Which buckets a stretch lies in, and how much of each.
class Buckets {
 public:
  explicit Buckets(const host::Statistics& statistics)
      : first_(statistics.first),
        width_(std::max(1.0, static_cast<double>(statistics.span())) / kFinest) {}

  size_t of(uint64_t time) const {
    const double place = time < first_ ? 0 : static_cast<double>(time - first_) / width_;
    return std::min(kFinest - 1, static_cast<size_t>(place));
  }
  // Calls `see` with each bucket and the share of it.
  template <typename See>
  void each(uint64_t begin, uint64_t end, const See& see) const {
    const double from = begin < first_ ? 0 : static_cast<double>(begin - first_) / width_;
    const double to = end < first_ ? 0 : static_cast<double>(end - first_) / width_;
    for (size_t i = of(begin); i < kFinest && static_cast<double>(i) < to; ++i) {
      const double low = std::max(from, static_cast<double>(i));
      const double high = std::min(to, static_cast<double>(i + 1));
      if (low < high) see(i, static_cast<float>(high - low));
    }
  }

 private:
  uint64_t first_;
  double width_;
};

using Shares = std::vector<float>;

char quantized(float share) {
  if (share <= 0) return 0;
  return static_cast<char>(std::clamp(static_cast<int>(std::lround(share * kWholeShare)), 1,
                                      static_cast<int>(kWholeShare)));
}

Shares coarser(const Shares& fine, size_t buckets) {
  const size_t each = fine.size() / buckets;
  Shares coarse(buckets);
  for (size_t i = 0; i < fine.size(); ++i) coarse[i / each] += fine[i] / static_cast<float>(each);
  return coarse;
}

// The item that took most of each bucket, in one row.
struct Row {
  Shares covered = Shares(kFinest);
  Shares most = Shares(kFinest);
  std::vector<uint32_t> label = std::vector<uint32_t>(kFinest);

  void add(size_t bucket, float share, uint32_t of) {
    covered[bucket] += share;
    if (share <= most[bucket]) return;
    most[bucket] = share;
    label[bucket] = of + 1;
  }
  void append(std::string& out, size_t buckets) const {
    append_labels(out, buckets);
    for (const float share : coarser(covered, buckets)) out += quantized(share);
  }
  void append_labels(std::string& out, size_t buckets) const {
    const size_t each = kFinest / buckets;
    std::string low;
    std::string high;
    for (size_t i = 0; i < buckets; ++i) {
      const auto begin = most.begin() + static_cast<ptrdiff_t>(i * each);
      const auto largest = std::max_element(begin, begin + static_cast<ptrdiff_t>(each));
      const uint32_t one = label[static_cast<size_t>(largest - most.begin())];
      // Beyond two bytes, a label is as good as another.
      const uint32_t clamped = std::min<uint32_t>(one, 0xffff);
      low += static_cast<char>(clamped);
      high += static_cast<char>(clamped >> 8);
    }
    out += low + high;
  }
};

class LaneLevels {
 public:
  LaneLevels(const Drawing& drawing, const Buckets& buckets, const Lane& lane)
      : drawing_(drawing), buckets_(buckets), kind_(lane.kind) {
    const size_t states = kind_ == LaneKind::kCpu      ? 3
                          : kind_ == LaneKind::kThread ? host::kThreadTimeKinds
                                                       : 0;
    states_.assign(states, Shares(kFinest));
    rows_.resize(std::min(lane.rows, kLevelRows));
    if (kind_ == LaneKind::kCounter) {
      least_.assign(kFinest, std::numeric_limits<float>::quiet_NaN());
      most_ = least_;
    }
  }

  void add(const Item& item) {
    switch (item.kind) {
      case ItemKind::kRun:
        if (kind_ == LaneKind::kThread) return state(0, item);
        if (!drawing_.lanes[item.lane].idle)
          buckets_.each(item.begin, item.end,
                        [&](size_t bucket, float share) { ran_.add(bucket, share, item.lane); });
        return state(drawing_.lanes[item.lane].idle ? 1 : 0, item);
      case ItemKind::kState:
        return state(item.other, item);
      case ItemKind::kUnknown:
        return state(2, item);
      case ItemKind::kDuration:
        if (item.other >= rows_.size()) return;
        buckets_.each(item.begin, item.end, [&](size_t bucket, float share) {
          rows_[item.other].add(bucket, share, item.label);
        });
        return;
      case ItemKind::kCounter:
        return value(item);
      case ItemKind::kInstant:
      case ItemKind::kWakeup:
      case ItemKind::kLog:
      case ItemKind::kFlow: {
        uint32_t& count = marks_[buckets_.of(item.end)];
        ++count;
        return;
      }
      case ItemKind::kLost:
      case ItemKind::kArrow:
        return;
    }
  }

  std::string bytes() const {
    std::string out;
    for (const size_t buckets : kLevelBuckets) {
      if (kind_ == LaneKind::kCounter) {
        values(out, buckets);
        continue;
      }
      for (const Shares& one : states_) {
        for (const float share : coarser(one, buckets)) out += quantized(share);
      }
      if (kind_ == LaneKind::kCpu) ran_.append_labels(out, buckets);
      for (const Row& row : rows_) row.append(out, buckets);
      const size_t each = kFinest / buckets;
      for (size_t i = 0; i < buckets; ++i) {
        uint32_t count = 0;
        for (size_t j = 0; j < each; ++j) count += marks_[i * each + j];
        out += static_cast<char>(std::min<uint32_t>(count, 0xff));
      }
    }
    return out;
  }

 private:
  void state(size_t number, const Item& item) {
    if (number >= states_.size()) return;
    buckets_.each(item.begin, item.end,
                  [&](size_t bucket, float share) { states_[number][bucket] += share; });
  }
  void value(const Item& item) {
    const std::string_view text = drawing_.text_of(item);
    double value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{}) return;
    const auto number = static_cast<float>(value);
    for (size_t bucket = buckets_.of(item.begin); bucket <= buckets_.of(item.end); ++bucket) {
      least_[bucket] = std::fmin(least_[bucket], number);
      most_[bucket] = std::fmax(most_[bucket], number);
    }
  }
  void values(std::string& out, size_t buckets) const {
    const size_t each = kFinest / buckets;
    for (const Shares* extreme : {&least_, &most_}) {
      for (size_t i = 0; i < buckets; ++i) {
        float one = std::numeric_limits<float>::quiet_NaN();
        for (size_t j = i * each; j < (i + 1) * each; ++j) {
          one = extreme == &least_ ? std::fmin(one, (*extreme)[j]) : std::fmax(one, (*extreme)[j]);
        }
        append_word(out, std::bit_cast<uint32_t>(one));
      }
    }
  }

  const Drawing& drawing_;
  const Buckets& buckets_;
  LaneKind kind_;
  std::vector<Shares> states_;
  Row ran_;  // on a CPU
  std::vector<Row> rows_;
  std::vector<uint32_t> marks_ = std::vector<uint32_t>(kFinest);
  Shares least_;
  Shares most_;
};

}  // namespace

std::vector<std::string> levels_of(const Drawing& drawing) {
  // A thread's run is its CPU's as well.
  std::vector<std::vector<uint32_t>> by_lane(drawing.lanes.size());
  for (uint32_t i = 0; i < drawing.items.size(); ++i) {
    const Item& item = drawing.items[i];
    by_lane[item.lane].push_back(i);
    if (item.kind == ItemKind::kRun) by_lane[item.other].push_back(i);
  }
  const Buckets buckets(drawing.statistics);
  std::vector<std::string> levels;
  for (size_t lane = 0; lane < by_lane.size(); ++lane) {
    LaneLevels one(drawing, buckets, drawing.lanes[lane]);
    for (const uint32_t item : by_lane[lane]) one.add(drawing.items[item]);
    levels.push_back(deflated(one.bytes()));
    by_lane[lane] = {};
  }
  return levels;
}

}  // namespace barefxt::report
