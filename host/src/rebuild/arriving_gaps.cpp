#include <algorithm>
#include <utility>

#include <barefxt/host/arriving_gaps.h>

namespace barefxt::host {

void ArrivingGaps::clear() {
  behind_.clear();
  gaps_.clear();
}

void ArrivingGaps::on_piece(uint16_t cpu, uint64_t first, uint64_t count) {
  if (behind_.size() <= cpu) behind_.resize(cpu + size_t{1});
  uint64_t& behind = behind_[cpu];
  if (first < behind) fill(cpu, first, first + count);
  if (first > behind) {
    if (gaps_.size() == kMax) gaps_.erase(gaps_.begin());
    gaps_.push_back({.cpu = cpu, .first = behind, .count = first - behind});
  }
  behind = std::max(behind, first + count);
}

void ArrivingGaps::fill(uint16_t cpu, uint64_t first, uint64_t end) {
  std::vector<Gap> left;
  for (const Gap& gap : gaps_) {
    const uint64_t gap_end = gap.first + gap.count;
    if (gap.cpu != cpu || end <= gap.first || gap_end <= first) {
      left.push_back(gap);
      continue;
    }
    if (gap.first < first)
      left.push_back({.cpu = cpu, .first = gap.first, .count = first - gap.first});
    if (end < gap_end) left.push_back({.cpu = cpu, .first = end, .count = gap_end - end});
  }
  gaps_ = std::move(left);
}

}  // namespace barefxt::host
