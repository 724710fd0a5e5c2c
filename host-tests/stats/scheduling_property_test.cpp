// What statistics say of who ran and who waited is what a simulated kernel counted, tick by tick;
// and where records were lost, it is never more than that.
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "simulated_kernel.h"
#include "summing.h"

namespace barefxt::test {
namespace {

[[maybe_unused]] const int kEnough = ::setenv("RC_PARAMS", "max_success=1000", 0);

using Choices = std::vector<std::uint32_t>;
using host::Spent;

struct Stretch {
  std::uint64_t from;
  std::uint64_t to;  // one past the last tick
};

Stretch any_stretch(std::uint64_t end) {
  const auto one = *rc::gen::inRange<std::uint64_t>(0, end + 1);
  const auto other = *rc::gen::inRange<std::uint64_t>(0, end + 1);
  return {std::min(one, other), std::max(one, other)};
}

host::Statistics statistics_of(const SimulatedTrace& trace, const Stretch& stretch) {
  host::StatisticsOptions options;
  options.from = {true, static_cast<double>(stretch.from)};
  options.to = {true, static_cast<double>(stretch.to)};
  options.sorted_in_memory = 7;
  return statistics_in(archive_of(trace.records), options);
}

std::uint64_t ticks_in(const SimulatedThread& thread, SimulatedState state,
                       const Stretch& stretch) {
  const auto at = [&](std::uint64_t tick) {
    return thread.at.begin() + static_cast<std::ptrdiff_t>(tick);
  };
  return static_cast<std::uint64_t>(std::count(at(stretch.from), at(stretch.to), state));
}

std::uint64_t ticks_on(const SimulatedThread& thread, unsigned cpu, const Stretch& stretch) {
  const auto at = [&](std::uint64_t tick) {
    return thread.cpu.begin() + static_cast<std::ptrdiff_t>(tick);
  };
  return static_cast<std::uint64_t>(std::count(at(stretch.from), at(stretch.to), cpu));
}

// Those that end within, counted one by one.
std::vector<std::uint64_t> lengths_in(const std::vector<SimulatedLength>& all,
                                      const Stretch& stretch) {
  std::vector<std::uint64_t> lengths;
  for (const SimulatedLength& one : all) {
    if (stretch.from <= one.end && one.end <= stretch.to) lengths.push_back(one.end - one.begin);
  }
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

void check_lengths(const host::Distribution& told, const std::vector<SimulatedLength>& counted,
                   const Stretch& stretch) {
  const std::vector<std::uint64_t> lengths = lengths_in(counted, stretch);
  RC_ASSERT(told.count() == lengths.size());
  if (lengths.empty()) return;
  std::uint64_t sum = 0;
  for (const std::uint64_t one : lengths) sum += one;
  RC_ASSERT(told.total() == sum);
  RC_ASSERT(told.shortest() == lengths.front());
  RC_ASSERT(told.longest() == lengths.back());
  const host::Extent& longest = told.longest_extent();
  RC_ASSERT(
      std::count(counted.begin(), counted.end(), SimulatedLength{longest.begin, longest.end}) == 1);
  if (lengths.size() > host::Distribution::kKept) return;
  for (const std::uint64_t per_mille : {500, 950, 990}) {
    const std::size_t rank = (per_mille * lengths.size() + 999) / 1000;
    RC_ASSERT(told.quantile(per_mille) == lengths[rank - 1]);
  }
}

void check_equal(const SimulatedTrace& trace, const Stretch& stretch) {
  const host::Statistics told = statistics_of(trace, stretch);
  for (const auto& [koid, thread] : trace.threads) {
    const auto found = told.threads.find(koid);
    const host::ThreadStatistics none;
    const host::ThreadStatistics& one = found == told.threads.end() ? none : found->second;
    RC_ASSERT(one.time(Spent::kRunning) == ticks_in(thread, kSimRunning, stretch));
    RC_ASSERT(one.time(Spent::kRunnable) == ticks_in(thread, kSimRunnable, stretch));
    RC_ASSERT(one.time(Spent::kBlocked) == ticks_in(thread, kSimBlocked, stretch));
    RC_ASSERT(one.time(Spent::kWaiting) == 0U);
    RC_ASSERT(one.time(Spent::kUnknown) == 0U);
    for (const auto& [cpu, ticks] : one.running_by_cpu)
      RC_ASSERT(ticks == ticks_on(thread, cpu, stretch));
    check_lengths(one.latency, thread.latencies, stretch);
    check_lengths(one.run, thread.runs, stretch);
    check_lengths(one.block, thread.blocks, stretch);
  }
  for (const auto& [number, cpu] : told.cpus) {
    const auto& idle = trace.threads.at(kSimIdle + number);
    RC_ASSERT(cpu.idle == ticks_in(idle, kSimRunning, stretch));
    RC_ASSERT(cpu.idle + cpu.busy == stretch.to - stretch.from);
    RC_ASSERT(cpu.unknown == 0U);
  }
}

RC_GTEST_PROP(SchedulingStatistics, AreWhatTheKernelCounted, (const Choices& choices)) {
  const SimulatedTrace trace = simulate(choices);
  check_equal(trace, any_stretch(trace.end));
}

RC_GTEST_PROP(SchedulingStatistics, DoNotDependOnTheOrderOfRecords, (const Choices& choices)) {
  SimulatedTrace trace = simulate(choices);
  std::reverse(trace.records.begin(), trace.records.end());
  check_equal(trace, {0, trace.end});
}

// Latencies of the kernel that statistics may have seen, or not.
void check_no_more(const host::Distribution& told, const std::vector<SimulatedLength>& counted) {
  RC_ASSERT(told.count() <= counted.size());
  if (told.count() == 0) return;
  const host::Extent& longest = told.longest_extent();
  RC_ASSERT(
      std::count(counted.begin(), counted.end(), SimulatedLength{longest.begin, longest.end}) == 1);
}

RC_GTEST_PROP(SchedulingStatistics, OfATraceWithALossClaimNothingThatWasNot,
              (const Choices& choices)) {
  const SimulatedTrace whole = simulate(choices);
  const auto cpu = *rc::gen::inRange<unsigned>(0, kSimCpus);
  const auto first = *rc::gen::inRange<std::size_t>(0, 64);
  const auto count = *rc::gen::inRange<std::size_t>(1, 12);
  const SimulatedTrace trace = with_loss(whole, cpu, first, count);
  const Stretch stretch = any_stretch(trace.end);
  const host::Statistics told = statistics_of(trace, stretch);
  for (const auto& [koid, thread] : trace.threads) {
    const auto found = told.threads.find(koid);
    if (found == told.threads.end()) continue;
    const host::ThreadStatistics& one = found->second;
    const std::uint64_t runnable = ticks_in(thread, kSimRunnable, stretch);
    const std::uint64_t blocked = ticks_in(thread, kSimBlocked, stretch);
    RC_ASSERT(one.time(Spent::kRunning) <= ticks_in(thread, kSimRunning, stretch));
    RC_ASSERT(one.time(Spent::kRunnable) <= runnable);
    RC_ASSERT(one.time(Spent::kBlocked) <= blocked);
    RC_ASSERT(one.time(Spent::kWaiting) <= runnable + blocked);
    for (const auto& [number, ticks] : one.running_by_cpu)
      RC_ASSERT(ticks <= ticks_on(thread, number, stretch));
    check_no_more(one.latency, thread.latencies);
    check_no_more(one.run, thread.runs);
    check_no_more(one.block, thread.blocks);
  }
  for (const auto& [number, one] : told.cpus) {
    RC_ASSERT(one.busy + one.idle + one.unknown == one.observed);
    // The others know who ran on them.
    if (number != cpu) RC_ASSERT(one.unknown == 0U);
  }
}

RC_GTEST_PROP(SchedulingStatistics, UpToTheLossAreWhatTheKernelCounted, (const Choices& choices)) {
  const SimulatedTrace whole = simulate(choices);
  const auto first = *rc::gen::inRange<std::size_t>(1, 64);
  SimulatedTrace trace = with_loss(whole, 1, first, 5);
  if (trace.loss.begin == 0) return;
  check_equal(trace, {0, trace.loss.begin});
}

}  // namespace
}  // namespace barefxt::test
