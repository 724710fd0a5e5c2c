// Lengths counted in classes.
#include <algorithm>
#include <bit>
#include <utility>

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
  classify_kept(std::exchange(kept_, {}));
  classify(length);
}

void Distribution::add(const Distribution& other, Precision precision) {
  if (other.count_ == 0) return;
  shortest_ = count_ == 0 ? other.shortest_ : std::min(shortest_, other.shortest_);
  const auto before = [](const Extent& a, const Extent& b) {
    return std::pair(b.length(), a.end) < std::pair(a.length(), b.end);
  };
  if (count_ == 0 || before(other.longest_, longest_)) longest_ = other.longest_;
  total_ += other.total_;
  count_ += other.count_;
  if (precision == Precision::kExact || count_ <= kKept) {
    kept_.insert(kept_.end(), other.kept_.begin(), other.kept_.end());
    return;
  }
  classify_kept(std::exchange(kept_, {}));
  classify_kept(other.kept_);
  for (std::size_t power = 0; power < other.classes_.size(); ++power) {
    if (!other.classes_[power]) continue;
    Classes& to = row(power);
    for (std::size_t i = 0; i < kClasses; ++i) to[i] += (*other.classes_[power])[i];
  }
}

double Distribution::mean() const {
  return count_ == 0 ? 0.0 : static_cast<double>(total_) / static_cast<double>(count_);
}

void Distribution::classify(std::uint64_t length) {
  const auto bits = static_cast<unsigned>(std::bit_width(length));
  const unsigned power = bits <= kBits ? 0 : bits - kBits;
  // Above the first row, the leading bit is the row's, and the next six choose the class.
  const std::uint64_t place = power == 0 ? length : length >> (power - 1);
  ++row(power)[place % kClasses];
}

void Distribution::classify_kept(const std::vector<std::uint64_t>& lengths) {
  for (const std::uint64_t one : lengths) classify(one);
}

Distribution::Classes& Distribution::row(std::size_t power) {
  if (classes_.size() <= power) classes_.resize(power + 1);
  if (!classes_[power]) classes_[power] = std::make_unique<Classes>();
  return *classes_[power];
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
  std::uint64_t found = longest();
  for_each_length([&](std::uint64_t length, std::uint64_t count) {
    if (below < rank && below + count >= rank) found = length;
    below += count;
  });
  return found;
}

template <typename See>
void Distribution::for_each_length(const See& see) const {
  for (const std::uint64_t one : kept_) see(one, std::uint64_t{1});
  for (std::size_t power = 0; power < classes_.size(); ++power) {
    if (!classes_[power]) continue;
    for (std::size_t i = 0; i < kClasses; ++i) {
      const std::uint64_t count = (*classes_[power])[i];
      if (count == 0) continue;
      if (power == 0) {
        see(i, count);
        continue;
      }
      const std::uint64_t width = std::uint64_t{1} << (power - 1);
      const std::uint64_t middle = ((kClasses + i) << (power - 1)) + (width - 1) / 2;
      see(std::clamp(middle, shortest_, longest()), count);
    }
  }
}

std::vector<std::uint64_t> Distribution::counts_up_to(std::span<const std::uint64_t> limits) const {
  std::vector<std::uint64_t> counts(limits.size());
  for_each_length([&](std::uint64_t length, std::uint64_t count) {
    const auto first = std::lower_bound(limits.begin(), limits.end(), length);
    if (first != limits.end()) counts[static_cast<std::size_t>(first - limits.begin())] += count;
  });
  for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
  return counts;
}

std::uint64_t Distribution::count_above(std::uint64_t limit) const {
  return count_ - counts_up_to({&limit, 1})[0];
}

}  // namespace barefxt::host
