// Quantiles of a bounded sketch against those of a sorted list, and sorting by spilling against
// sorting in memory.
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <barefxt/host/distribution.h>
#include <barefxt/host/spilling_sorter.h>

namespace barefxt::test {
namespace {

using host::Distribution;
using host::Precision;

std::uint64_t by_rank(const std::vector<std::uint64_t>& sorted, std::uint64_t per_mille) {
  const std::size_t rank = (per_mille * sorted.size() + 999) / 1000;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

// Lengths of all magnitudes, more than are kept one by one.
std::vector<std::uint64_t> any_lengths() {
  auto lengths =
      *rc::gen::container<std::vector<std::uint64_t>>(500, rc::gen::arbitrary<std::uint64_t>());
  for (std::uint64_t& one : lengths) one = *rc::gen::arbitrary<std::uint32_t>() >> (one % 32);
  return lengths;
}

Distribution of(const std::vector<std::uint64_t>& lengths, Precision precision) {
  Distribution distribution;
  for (const std::uint64_t one : lengths) distribution.add({0, one, 0}, precision);
  return distribution;
}

RC_GTEST_PROP(Distributions, OfASketchAreWithinTheStatedError, ()) {
  std::vector<std::uint64_t> lengths = any_lengths();
  const Distribution sketch = of(lengths, Precision::kSketch);
  std::sort(lengths.begin(), lengths.end());
  for (std::uint64_t per_mille = 0; per_mille <= 1000; per_mille += 5) {
    const auto exact = static_cast<double>(by_rank(lengths, per_mille));
    const auto told = static_cast<double>(sketch.quantile(per_mille));
    RC_ASSERT(std::abs(told - exact) <= exact * Distribution::kRelativeError);
  }
  RC_ASSERT(sketch.longest() == lengths.back());
  RC_ASSERT(sketch.shortest() == lengths.front());
}

RC_GTEST_PROP(Distributions, AreExactOnRequest, ()) {
  std::vector<std::uint64_t> lengths = any_lengths();
  const Distribution exact = of(lengths, Precision::kExact);
  std::sort(lengths.begin(), lengths.end());
  for (std::uint64_t per_mille = 0; per_mille <= 1000; per_mille += 5)
    RC_ASSERT(exact.quantile(per_mille) == by_rank(lengths, per_mille));
}

TEST(Distributions, HoldTheLargestLengthThereIs) {
  Distribution sketch;
  for (unsigned i = 0; i < 200; ++i) sketch.add({0, ~std::uint64_t{0}, 0}, Precision::kSketch);
  EXPECT_EQ(sketch.quantile(500), ~std::uint64_t{0});
  EXPECT_EQ(Distribution().quantile(500), 0U);
}

struct Item {
  std::uint64_t key;
  std::uint64_t place;
  bool operator==(const Item&) const = default;
};
struct ItemBefore {
  bool operator()(const Item& a, const Item& b) const {
    return std::tie(a.key, a.place) < std::tie(b.key, b.place);
  }
};

RC_GTEST_PROP(SpillingSorter, SortsAsInMemory, (const std::vector<std::uint8_t>& keys)) {
  std::vector<Item> items;
  for (const std::uint8_t key : keys) items.push_back({key, items.size()});
  const auto most = *rc::gen::inRange<std::size_t>(1, 20);
  host::SpillingSorter<Item, ItemBefore> sorter(most);
  for (const Item& item : items) RC_ASSERT(!sorter.add(item));
  std::vector<Item> sorted;
  RC_ASSERT(!sorter.take([&](const Item& item) { sorted.push_back(item); }));
  std::sort(items.begin(), items.end(), ItemBefore{});
  RC_ASSERT(sorted == items);
  RC_ASSERT((sorter.runs() > 0) == (keys.size() >= most));
}

}  // namespace
}  // namespace barefxt::test
