// Lengths counted in classes.
#include <algorithm>
#include <bit>
#include <utility>

#include <barefxt/host/distribution.h>

namespace barefxt::host {
namespace {

// The last six bits choose the class. Above the first row, the leading bit ahead of them is the
// row's.
uint64_t place_in_row(uint64_t length, size_t power) {
  return power == 0 ? length : length >> (power - 1);
}

}  // namespace

Distribution& Distribution::operator=(const Distribution& other) {
  if (this == &other) return *this;
  count_ = other.count_;
  total_ = other.total_;
  shortest_ = other.shortest_;
  longest_ = other.longest_;
  kept_ = other.kept_;
  classes_.clear();
  for (const std::unique_ptr<Classes>& row : other.classes_)
    classes_.push_back(row ? std::make_unique<Classes>(*row) : nullptr);
  return *this;
}

void Distribution::add(const Extent& extent, Precision precision, DistributionRoom* room) {
  const uint64_t length = extent.length();
  const size_t power = power_of(length);
  // Nearly all lengths find their class there.
  Classes* const there = power < classes_.size() ? classes_[power].get() : nullptr;
  const bool keep = classes_.empty() && (precision == Precision::kExact || kept_.size() < kKept);
  if (there == nullptr && !keep && room != nullptr && !room->take(rows_wanted(length))) return;
  shortest_ = count_ == 0 ? length : std::min(shortest_, length);
  if (count_ == 0 || length > longest_.length()) longest_ = extent;
  total_ += length;
  ++count_;
  if (there != nullptr) {
    ++(*there)[place_in_row(length, power) % kClasses];
    return;
  }
  if (keep) {
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
  for (size_t power = 0; power < other.classes_.size(); ++power) {
    if (!other.classes_[power]) continue;
    Classes& to = row(power);
    for (size_t i = 0; i < kClasses; ++i) to[i] += (*other.classes_[power])[i];
  }
}

double Distribution::mean() const {
  return count_ == 0 ? 0.0 : static_cast<double>(total_) / static_cast<double>(count_);
}

size_t Distribution::power_of(uint64_t length) {
  const auto bits = static_cast<unsigned>(std::bit_width(length));
  return bits <= kBits ? 0 : bits - kBits;
}

// Rows that this length, and those that are kept, have yet to get.
size_t Distribution::rows_wanted(uint64_t length) const {
  const size_t power = power_of(length);
  if (!classes_.empty()) return power < classes_.size() && classes_[power] ? 0 : 1;
  uint64_t powers = uint64_t{1} << power;
  for (const uint64_t one : kept_) powers |= uint64_t{1} << power_of(one);
  return static_cast<size_t>(std::popcount(powers));
}

void Distribution::classify(uint64_t length) {
  const size_t power = power_of(length);
  ++row(power)[place_in_row(length, power) % kClasses];
}

void Distribution::classify_kept(const std::vector<uint64_t>& lengths) {
  for (const uint64_t one : lengths) classify(one);
}

Distribution::Classes& Distribution::row(size_t power) {
  if (classes_.size() <= power) classes_.resize(power + 1);
  if (!classes_[power]) classes_[power] = std::make_unique<Classes>();
  return *classes_[power];
}

uint64_t Distribution::quantile(uint64_t per_mille) const {
  if (count_ == 0) return 0;
  const auto wide = (static_cast<unsigned __int128>(per_mille) * count_ + 999) / 1000;
  const auto rank = std::clamp<uint64_t>(static_cast<uint64_t>(wide), 1, count_);
  if (classes_.empty()) {
    std::vector<uint64_t> sorted = kept_;
    const auto at = sorted.begin() + static_cast<ptrdiff_t>(rank - 1);
    std::nth_element(sorted.begin(), at, sorted.end());
    return *at;
  }
  uint64_t below = 0;
  uint64_t found = longest();
  for_each_class([&](uint64_t low, uint64_t high, uint64_t count) {
    if (below < rank && below + count >= rank) found = middle_of(low, high);
    below += count;
  });
  return found;
}

uint64_t Distribution::middle_of(uint64_t low, uint64_t high) const {
  return std::clamp(low + (high - low) / 2, shortest_, longest());
}

void Distribution::for_each_class(
    const std::function<void(uint64_t low, uint64_t high, uint64_t count)>& see) const {
  for (const uint64_t one : kept_) see(one, one, 1);
  for (size_t power = 0; power < classes_.size(); ++power) {
    if (!classes_[power]) continue;
    for (size_t i = 0; i < kClasses; ++i) {
      const uint64_t count = (*classes_[power])[i];
      if (count == 0) continue;
      const uint64_t width = power == 0 ? 1 : uint64_t{1} << (power - 1);
      const uint64_t low = power == 0 ? i : (kClasses + i) << (power - 1);
      see(low, low + (width - 1), count);
    }
  }
}

std::vector<uint64_t> Distribution::counts_up_to(std::span<const uint64_t> limits) const {
  std::vector<uint64_t> counts(limits.size());
  for_each_class([&](uint64_t low, uint64_t high, uint64_t count) {
    const uint64_t length = middle_of(low, high);
    const auto first = std::lower_bound(limits.begin(), limits.end(), length);
    if (first != limits.end()) counts[static_cast<size_t>(first - limits.begin())] += count;
  });
  for (size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
  return counts;
}

uint64_t Distribution::count_above(uint64_t limit) const {
  return count_ - counts_up_to({&limit, 1})[0];
}

}  // namespace barefxt::host
