// Limits of statistics' memory, for all threads and names together.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/nesting_stacks.h>

#include "../../host/src/stats/children.h"
#include "archive/memory_archive.h"
#include "build_kind.h"
#include "summing.h"

namespace barefxt::test::stats_limits_test {
namespace {

using host::Children;
using host::Distribution;
using host::DistributionRoom;
using host::Precision;

// ---- Stacks ----

struct Element {
  uint32_t key;
  uint32_t number;
};
using Stacks = host::NestingStacks<Element>;

// Some stacks that share a memory, against vectors; deep enough to leave what is searched in turn.
RC_GTEST_PROP(NestingStacks, FindWhatASearchFinds, (const std::vector<uint8_t>& choices)) {
  constexpr size_t kStacks = 3;
  constexpr size_t kMax = 400;
  Stacks stacks(kMax);
  std::array<Stacks::Stack, kStacks> made;
  std::array<std::vector<uint32_t>, kStacks> expected;
  size_t all = 0;
  for (const uint8_t choice : choices) {
    const size_t which = choice % kStacks;
    const uint32_t key = choice / 4 % 8;
    std::vector<uint32_t>& keys = expected[which];
    const size_t times = choice >= 128 ? 50 : 1;
    for (size_t i = 0; i < times; ++i) {
      if (choice % 2 == 0 || choice >= 128) {
        RC_ASSERT(stacks.push(made[which], {key, choice}) == (all < kMax));
        if (all == kMax) continue;
        keys.push_back(key);
        ++all;
      } else if (!keys.empty()) {
        RC_ASSERT(stacks.top(made[which]).key == keys.back());
        stacks.pop(made[which]);
        keys.pop_back();
        --all;
      }
    }
    for (uint32_t wanted = 0; wanted < 9; ++wanted) {
      const auto found = std::find(keys.rbegin(), keys.rend(), wanted);
      const auto height = found == keys.rend() ? 0 : static_cast<size_t>(found - keys.rbegin()) + 1;
      RC_ASSERT(stacks.height_of(made[which], wanted) == height);
    }
    RC_ASSERT(stacks.size() == all);
  }
}

// ---- Durations that wait for a parent ----

TEST(ChildrenLimit, IsOfAllThreadsTogether) {
  constexpr size_t kThreads = 6000;
  constexpr uint64_t kEach = 100;
  Children children;
  std::vector<Children::Stack> stacks(kThreads);
  std::vector<uint32_t> first(kThreads);
  size_t most = 0;
  for (size_t thread = 0; thread < kThreads; ++thread) {
    // One that ended before, then two that are open, each with others within.
    children.add(stacks[thread], {.begin = 0, .end = 1, .holds = {.ticks = 1, .calls = 0}}, 0);
    first[thread] = children.begin(stacks[thread], 0);
    for (uint64_t i = 0; i < 2 * kEach; ++i) {
      const uint32_t inner =
          i < kEach ? first[thread] : children.begin(stacks[thread], first[thread]);
      children.add(stacks[thread],
                   {.begin = 10 + i, .end = 11 + i, .holds = {.ticks = 1, .calls = 1}}, inner);
      most = std::max(most, children.size());
    }
    EXPECT_LE(most, Children::kMaxInAll + 3 * (thread + 1));
  }
  EXPECT_GE(children.size(), Children::kMaxInAll);
  // Threads that come later, and open nothing, keep two at most.
  const size_t before = children.size();
  constexpr size_t kLater = 2000;
  std::vector<Children::Stack> later(kLater);
  for (Children::Stack& stack : later)
    for (uint64_t i = 0; i < kEach; ++i)
      children.add(stack, {.begin = i, .end = i + 1, .holds = {.ticks = 1, .calls = 0}}, 0);
  EXPECT_LE(children.size(), before + 2 * kLater);
  // The count of open durations is exact all the same.
  for (size_t thread = 0; thread < kThreads; ++thread) {
    const Children::Within within = children.take(stacks[thread], 10, true);
    EXPECT_EQ(within.ticks, 2 * kEach);
    EXPECT_EQ(within.calls, 2 * kEach);
    EXPECT_TRUE(within.ticks_known && within.calls_known);
  }
  EXPECT_LE(children.size(), kThreads + 2 * kLater);
}

// ---- Distributions ----

// Lengths of each power of two, behind as many equal ones as a distribution keeps.
constexpr size_t kPowers = 59;
template <typename Add>
void add_of_each_power(const Add& add) {
  for (size_t i = 0; i < Distribution::kKept; ++i) add(1);
  for (size_t power = 0; power < kPowers; ++power) add(uint64_t{40} << power);
}

TEST(DistributionLimit, IsOfAllTogether) {
  constexpr size_t kSets = 2400;
  DistributionRoom room;
  std::vector<Distribution> sets(kSets);
  uint64_t added = 0;
  uint64_t counted = 0;
  for (Distribution& set : sets) {
    add_of_each_power([&](uint64_t length) {
      set.add({0, length, 0}, Precision::kSketch, &room);
      ++added;
    });
    counted += set.count();
  }
  EXPECT_GT(kSets * kPowers, DistributionRoom::kMaxRows);
  EXPECT_EQ(room.rows(), DistributionRoom::kMaxRows);
  EXPECT_EQ(counted + room.left_out(), added);
  EXPECT_GT(room.left_out(), 0U);
  // Those that came first are whole, the last one keeps what it can.
  EXPECT_EQ(sets.front().count(), Distribution::kKept + kPowers);
  EXPECT_EQ(sets.front().longest(), uint64_t{40} << (kPowers - 1));
  EXPECT_EQ(sets.back().count(), Distribution::kKept);
  EXPECT_EQ(sets.back().quantile(990), 1U);
}

TEST(DistributionLimit, IsSaidInStatistics) {
  constexpr unsigned kNames = 2400;
  MemoryArchive writer(1'000'000'000);
  writer.thread(1, 7, 70);
  uint64_t added = 0;
  for (unsigned name = 0; name < kNames; ++name) {
    writer.string(1, "name " + std::to_string(name));
    const auto duration = [&](uint64_t length) {
      (void)writer.event({.type = fxt::EventType::kDurationComplete,
                          .timestamp = 0,
                          .thread = {1, 0, 0},
                          .category = host::ArchiveText::indexed(1),
                          .name = host::ArchiveText::indexed(1),
                          .trailing_word = length},
                         {});
      ++added;
    };
    add_of_each_power(duration);
  }
  const host::Statistics statistics = statistics_in(writer.text());
  uint64_t counted = 0;
  for (const auto& [name, one] : statistics.durations) counted += one.total.count();
  EXPECT_GT(statistics.left_out, 0U);
  EXPECT_EQ(counted + statistics.left_out, added);
}

}  // namespace
}  // namespace barefxt::test::stats_limits_test
