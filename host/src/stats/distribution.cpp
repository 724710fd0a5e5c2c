// Lengths counted in classes.
#include <algorithm>
#include <bit>

#include <barefxt/host/distribution.h>

namespace barefxt::host {

void Distribution::add(const Extent& extent, Precision precision) {
  const std::uint64_t length = extent.length();
  shortest_ = count_ == 0 ? length : std::min(shortest_, length);
  if (count_ == 0 || length > longest_.length()) longest_ = extent;
  total_ += length;
  ++count_;
  if (!classes_.empty()) return classify(length);
  if (precision == Precision::kExact || kept_.size() < kKept) {
    kept_.push_back(length);
    return;
  }
  for (const std::uint64_t one : kept_) classify(one);
  kept_ = {};
  classify(length);
}

double Distribution::mean() const {
  return count_ == 0 ? 0.0 : static_cast<double>(total_) / static_cast<double>(count_);
}

void Distribution::classify(std::uint64_t length) {
  const auto bits = static_cast<unsigned>(std::bit_width(length));
  const unsigned power = bits <= kBits ? 0 : bits - kBits;
  if (classes_.size() <= power) classes_.resize(power + 1);
  std::unique_ptr<Classes>& row = classes_[power];
  if (!row) row = std::make_unique<Classes>();
  // Above the first row, the leading bit is the row's, and the next six choose the class.
  const std::uint64_t place = power == 0 ? length : length >> (power - 1);
  ++(*row)[place % kClasses];
}

std::uint64_t Distribution::quantile(std::uint64_t per_mille) const {
  const auto wide = (static_cast<unsigned __int128>(per_mille) * count_ + 999) / 1000;
  return at_rank(static_cast<std::uint64_t>(wide));
}

std::uint64_t Distribution::at_rank(std::uint64_t rank) const {
  if (count_ == 0) return 0;
  rank = std::clamp<std::uint64_t>(rank, 1, count_);
  if (classes_.empty()) {
    std::vector<std::uint64_t> sorted = kept_;
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(sorted.begin(), at, sorted.end());
    return *at;
  }
  std::uint64_t below = 0;
  for (std::size_t power = 0; power < classes_.size(); ++power) {
    if (!classes_[power]) continue;
    for (std::size_t i = 0; i < kClasses; ++i) {
      below += (*classes_[power])[i];
      if (below < rank) continue;
      if (power == 0) return i;
      const std::uint64_t width = std::uint64_t{1} << (power - 1);
      const std::uint64_t middle = ((kClasses + i) << (power - 1)) + (width - 1) / 2;
      return std::clamp(middle, shortest_, longest());
    }
  }
  return longest();
}

}  // namespace barefxt::host
