// Statistics of waits for locks equal the counts of a kernel with locks, tick by tick: the holder
// of each wait, and the threads that kept the holder off its CPU.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>

#include "locking_kernel.h"
#include "stretch.h"
#include "summing.h"

namespace barefxt::test::contention_property_test {
namespace {

using Choices = std::vector<uint32_t>;
using namespace locking;

host::ObjectKey lock_named(unsigned lock) {
  return {{"lock", "lock" + std::to_string(lock)}, std::nullopt};
}

std::vector<Wait> waits_within(const LockingKernel& kernel, const Stretch& stretch) {
  std::vector<Wait> counted;
  for (const Wait& one : kernel.waits) {
    if (stretch.has(one.end)) counted.push_back(one);
  }
  return counted;
}

// Enough for several waits.
Choices many_choices() { return *rc::gen::resize(600, rc::gen::arbitrary<Choices>()); }

RC_GTEST_PROP(ContentionStatistics, AreByLockAndByWhoEndedTheWait, ()) {
  LockingKernel kernel(many_choices());
  const Stretch stretch = any_stretch(kFirst, kernel.end());
  const host::Statistics reported = statistics_in(kernel.archive(), stretch.options());
  std::map<unsigned, std::vector<Wait>> by_lock;
  std::map<std::pair<unsigned, uint64_t>, std::vector<Wait>> by_holder;
  for (const Wait& one : waits_within(kernel, stretch)) {
    by_lock[one.lock].push_back(one);
    by_holder[{one.lock, one.holder}].push_back(one);
  }
  RC_ASSERT(reported.contention.size() == by_lock.size());
  size_t holders = 0;
  for (const auto& [lock, waits] : by_lock) {
    const host::ContentionStatistics& one = reported.contention.at(lock_named(lock));
    check_lengths(one.wait, waits);
    holders += one.by_holder.size();
    for (const auto& [holder, of_holder] : one.by_holder)
      check_lengths(of_holder, by_holder[{lock, holder.value_or(kNobody)}]);
  }
  RC_ASSERT(holders == by_holder.size());
}

struct Inverted {
  uint64_t waits = 0;
  uint64_t times = 0;
  uint64_t ticks = 0;
  uint64_t longest = 0;
};

RC_GTEST_PROP(ContentionStatistics, NameWhoKeptTheHolderOff, ()) {
  LockingKernel kernel(many_choices());
  const host::Statistics reported = statistics_in(kernel.archive());
  std::map<std::array<uint64_t, 4>, Inverted> counted;
  for (const Wait& wait : kernel.waits) {
    if (wait.holder == kNobody || priority_of(wait.holder) >= priority_of(wait.waiter)) continue;
    // The last eight times it was kept off, as far as is known when the wait ends.
    std::vector<SchedulingDelay> times;
    for (const SchedulingDelay& one : kernel.kept_off.at(wait.holder)) {
      if (one.end <= wait.end) times.push_back(one);
    }
    constexpr size_t kRemembered = 8;
    std::map<uint64_t, uint64_t> in_this_wait;  // by runner
    const size_t first = times.size() - std::min(times.size(), kRemembered);
    for (size_t i = first; i < times.size(); ++i) {
      const SchedulingDelay& one = times[i];
      const bool between = one.by != wait.holder && one.by != wait.waiter &&
                           priority_of(one.by) >= priority_of(wait.holder) &&
                           priority_of(one.by) < priority_of(wait.waiter);
      if (!between) continue;
      uint64_t ticks = 0;
      for (uint64_t tick = wait.begin; tick < wait.woken; ++tick)
        ticks += one.begin <= tick && tick < one.end ? 1 : 0;
      if (ticks == 0) continue;
      Inverted& sum = counted[{wait.lock, wait.waiter, wait.holder, one.by}];
      ++sum.times;
      sum.ticks += ticks;
      in_this_wait[one.by] += ticks;
    }
    for (const auto& [runner, ticks] : in_this_wait) {
      Inverted& sum = counted[{wait.lock, wait.waiter, wait.holder, runner}];
      ++sum.waits;
      sum.longest = std::max(sum.longest, ticks);
    }
  }
  RC_ASSERT(reported.inversions.size() == counted.size());
  for (const auto& [key, sum] : counted) {
    const host::PriorityInversion& one =
        reported.inversions.at({lock_named(static_cast<unsigned>(key[0])), key[1], key[2], key[3]});
    RC_ASSERT(one.waits == sum.waits);
    RC_ASSERT(one.times == sum.times);
    RC_ASSERT(one.ticks == sum.ticks);
    RC_ASSERT(one.longest_ticks == sum.longest);
    RC_ASSERT(std::any_of(kernel.waits.begin(), kernel.waits.end(), [&](const Wait& wait) {
      return wait.waiter == key[1] && wait.holder == key[2] && wait.begin == one.longest.begin &&
             wait.end == one.longest.end;
    }));
  }
}

host::ObjectKey recorded_lock(unsigned lock) {
  return {{"lock", "lock" + std::to_string(lock)}, lock + 1};
}

RC_GTEST_PROP(ContentionStatistics, TakeTheHoldersThatAreRecorded, ()) {
  LockingKernel kernel(many_choices(), true);
  const Stretch stretch = any_stretch(kFirst, kernel.end());
  const host::Statistics reported = statistics_in(kernel.archive(), stretch.options());
  std::map<unsigned, std::vector<Wait>> by_lock;
  std::map<std::pair<unsigned, uint64_t>, std::vector<Part>> by_holder;
  for (const Wait& one : waits_within(kernel, stretch)) {
    by_lock[one.lock].push_back(one);
    for (const Part& part : one.parts) by_holder[{one.lock, part.holder}].push_back(part);
  }
  size_t holders = 0;
  for (const auto& [lock, waits] : by_lock) {
    const host::ContentionStatistics& one = reported.contention.at(recorded_lock(lock));
    check_lengths(one.wait, waits);
    holders += one.by_holder.size();
    for (const auto& [holder, parts] : one.by_holder)
      check_lengths(parts, by_holder[{lock, holder.value_or(kNobody)}]);
  }
  RC_ASSERT(holders == by_holder.size());
}

RC_GTEST_PROP(ContentionStatistics, NameWhoRanInPlaceOfARecordedHolder, ()) {
  LockingKernel kernel(many_choices(), true);
  const host::Statistics reported = statistics_in(kernel.archive());
  std::map<std::array<uint64_t, 4>, Inverted> counted;
  for (const Wait& wait : kernel.waits) {
    for (const auto& [who, ticks] : wait.inverted) {
      Inverted& sum = counted[{wait.lock, wait.waiter, who.first, who.second}];
      ++sum.waits;
      sum.ticks += ticks;
      sum.longest = std::max(sum.longest, ticks);
    }
  }
  RC_ASSERT(reported.inversions.size() == counted.size());
  for (const auto& [key, sum] : counted) {
    const host::PriorityInversion& one = reported.inversions.at(
        {recorded_lock(static_cast<unsigned>(key[0])), key[1], key[2], key[3]});
    RC_ASSERT(one.waits == sum.waits);
    RC_ASSERT(one.ticks == sum.ticks);
    RC_ASSERT(one.longest_ticks == sum.longest);
    RC_ASSERT(one.times >= one.waits);
  }
}

// Random numbers do make inversions: otherwise the property above would prove nothing.
TEST(ContentionStatistics, ThereAreInversionsToBeNamed) {
  Choices choices;
  uint32_t state = 1;
  for (unsigned i = 0; i < 4000; ++i) {
    state = state * 1664525 + 1013904223;
    choices.push_back(state >> 8);
  }
  LockingKernel kernel(choices);
  const host::Statistics reported = statistics_in(kernel.archive());
  EXPECT_GT(kernel.waits.size(), 100U);
  EXPECT_GT(reported.inversions.size(), 3U);
  LockingKernel recording(choices, true);
  EXPECT_GT(statistics_in(recording.archive()).inversions.size(), 3U);
  EXPECT_TRUE(std::any_of(recording.waits.begin(), recording.waits.end(),
                          [](const Wait& wait) { return wait.parts.size() > 1; }));
}

}  // namespace
}  // namespace barefxt::test::contention_property_test
