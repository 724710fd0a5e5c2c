// Quantiles of a bounded sketch against those of a sorted list, and sorting by spilling against
// sorting in memory.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/resource.h>

#include <barefxt/host/distribution.h>

#include "archive/spilling_sorter.h"
#include "contains.h"

namespace barefxt::test::distribution_property_test {
namespace {

using host::Distribution;
using host::Precision;

uint64_t by_rank(const std::vector<uint64_t>& sorted, uint64_t per_mille) {
  const size_t rank = (per_mille * sorted.size() + 999) / 1000;
  return sorted[std::max<size_t>(rank, 1) - 1];
}

// Lengths of all magnitudes, more than are kept one by one.
std::vector<uint64_t> any_lengths() {
  auto lengths = *rc::gen::container<std::vector<uint64_t>>(500, rc::gen::arbitrary<uint64_t>());
  for (uint64_t& one : lengths) one = *rc::gen::arbitrary<uint32_t>() >> (one % 32);
  return lengths;
}

Distribution of(const std::vector<uint64_t>& lengths, Precision precision) {
  Distribution distribution;
  for (const uint64_t one : lengths) distribution.add({0, one, 0}, precision);
  return distribution;
}

RC_GTEST_PROP(Distributions, OfASketchAreWithinTheStatedError, ()) {
  std::vector<uint64_t> lengths = any_lengths();
  const Distribution sketch = of(lengths, Precision::kSketch);
  std::sort(lengths.begin(), lengths.end());
  for (uint64_t per_mille = 0; per_mille <= 1000; per_mille += 5) {
    const auto exact = static_cast<double>(by_rank(lengths, per_mille));
    const auto estimated = static_cast<double>(sketch.quantile(per_mille));
    RC_ASSERT(std::abs(estimated - exact) <= exact * Distribution::kRelativeError);
  }
  RC_ASSERT(sketch.longest() == lengths.back());
  RC_ASSERT(sketch.shortest() == lengths.front());
}

RC_GTEST_PROP(Distributions, AreExactOnRequest, ()) {
  std::vector<uint64_t> lengths = any_lengths();
  const Distribution exact = of(lengths, Precision::kExact);
  std::sort(lengths.begin(), lengths.end());
  for (uint64_t per_mille = 0; per_mille <= 1000; per_mille += 5)
    RC_ASSERT(exact.quantile(per_mille) == by_rank(lengths, per_mille));
}

TEST(Distributions, HoldTheLargestLengthThereIs) {
  Distribution sketch;
  for (unsigned i = 0; i < 200; ++i) sketch.add({0, ~uint64_t{0}, 0}, Precision::kSketch);
  EXPECT_EQ(sketch.quantile(500), ~uint64_t{0});
  EXPECT_EQ(Distribution().quantile(500), 0U);
}

struct Item {
  uint64_t key;
  uint64_t place;
  bool operator==(const Item&) const = default;
};
struct ItemBefore {
  bool operator()(const Item& a, const Item& b) const {
    return std::tie(a.key, a.place) < std::tie(b.key, b.place);
  }
};

// With bytes of all sizes along, in any number of runs, some of them joined on the way.
RC_GTEST_PROP(SpillingSorter, SortsAsInMemory, (const std::vector<uint8_t>& keys)) {
  std::vector<Item> items;
  for (const uint8_t key : keys) items.push_back({key, items.size()});
  const auto bytes_of = [](const Item& item) {
    return std::string(size_t{item.key} * item.key % 700, static_cast<char>(item.place));
  };
  const auto most = *rc::gen::inRange<size_t>(1, 20);
  const auto runs = *rc::gen::inRange<size_t>(2, 12);
  host::SpillingSorter<Item, ItemBefore> sorter(
      {.elements = most, .bytes = size_t{1} << 20, .runs = runs});
  for (const Item& item : items) RC_ASSERT(sorter.add(item, bytes_of(item)).ok());
  RC_ASSERT((sorter.runs() > 0) == (keys.size() >= most));
  RC_ASSERT(sorter.runs() < runs);
  std::vector<Item> sorted;
  const host::Status taken = sorter.take([&](const Item& item, std::string_view bytes) {
    RC_ASSERT(bytes == bytes_of(item));
    sorted.push_back(item);
  });
  RC_ASSERT(taken.ok());
  std::sort(items.begin(), items.end(), ItemBefore{});
  RC_ASSERT(sorted == items);
}

TEST(SpillingSorter, SpillsWhereWhatCameAlongIsMuch) {
  constexpr uint64_t kItems = 100;
  host::SpillingSorter<Item, ItemBefore> sorter({.elements = 1000, .bytes = 5000});
  const std::string bytes(999, 'x');
  for (uint64_t i = 0; i < kItems; ++i) ASSERT_TRUE(sorter.add({kItems - i, i}, bytes).ok());
  EXPECT_EQ(sorter.runs(), kItems / 6);
  uint64_t next = 0;
  const host::Status taken = sorter.take([&](const Item& item, std::string_view with) {
    EXPECT_EQ(item.key, ++next);
    EXPECT_EQ(with, bytes);
  });
  ASSERT_TRUE(taken.ok());
  EXPECT_EQ(next, kItems);
}

// Without a temporary file there is an error with a hint.
TEST(SpillingSorter, ReportsThatItCannotSpill) {
  struct rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const struct rlimit none = {.rlim_cur = 0, .rlim_max = limit.rlim_max};
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
  host::SpillingSorter<Item, ItemBefore> sorter({.elements = 4});
  host::Status status;
  for (uint64_t i = 0; i < 10 && status.ok(); ++i) status = sorter.add({i, i});
  if (status.ok()) status = sorter.take([](const Item&, std::string_view) {});
  (void)::setrlimit(RLIMIT_FSIZE, &limit);
  (void)std::signal(SIGXFSZ, old);
  ASSERT_FALSE(status.ok());
  EXPECT_TRUE(contains(status.error().what, "cannot grow a temporary file"));
}

}  // namespace
}  // namespace barefxt::test::distribution_property_test
