// Statistics of running and waiting threads equal the counts of a simulated kernel, tick by tick.
// After losses they never exceed these.
#include <algorithm>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <set>

#include "simulated_kernel.h"
#include "stretch.h"
#include "summing.h"

namespace barefxt::test::scheduling_property_test {
namespace {

using Choices = std::vector<uint32_t>;
using host::ThreadTime;

host::Statistics statistics_of(const SimulatedTrace& trace, const Stretch& stretch) {
  host::StatisticsOptions options = stretch.options();
  options.sorted_in_memory = 7;
  return statistics_in(archive_of(trace.records), options);
}

uint64_t ticks_in(const SimulatedThread& thread, SimulatedState state, const Stretch& stretch) {
  const auto at = [&](uint64_t tick) { return thread.at.begin() + static_cast<ptrdiff_t>(tick); };
  return static_cast<uint64_t>(std::count(at(stretch.from), at(stretch.to), state));
}

uint64_t ticks_on(const SimulatedThread& thread, unsigned cpu, const Stretch& stretch) {
  const auto at = [&](uint64_t tick) { return thread.cpu.begin() + static_cast<ptrdiff_t>(tick); };
  return static_cast<uint64_t>(std::count(at(stretch.from), at(stretch.to), cpu));
}

// Those that end within, counted one by one.
std::vector<uint64_t> lengths_in(const std::vector<SimulatedLength>& all, const Stretch& stretch) {
  std::vector<uint64_t> lengths;
  for (const SimulatedLength& one : all) {
    if (stretch.has(one.end)) lengths.push_back(one.end - one.begin);
  }
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

void check_lengths(const host::Distribution& reported, const std::vector<SimulatedLength>& counted,
                   const Stretch& stretch, const std::map<uint64_t, uint64_t>& times) {
  const std::vector<uint64_t> lengths = lengths_in(counted, stretch);
  RC_ASSERT(reported.count() == lengths.size());
  if (lengths.empty()) return;
  uint64_t sum = 0;
  for (const uint64_t one : lengths) sum += one;
  RC_ASSERT(reported.total() == sum);
  const auto count = static_cast<double>(lengths.size());
  RC_ASSERT(reported.mean() == static_cast<double>(sum) / count);
  RC_ASSERT(reported.shortest() == lengths.front());
  RC_ASSERT(reported.longest() == lengths.back());
  const host::Extent& longest = reported.longest_extent();
  RC_ASSERT(
      std::count(counted.begin(), counted.end(), SimulatedLength{longest.begin, longest.end}) == 1);
  RC_ASSERT(longest.end - longest.begin == lengths.back());
  RC_ASSERT(times.at(longest.offset) == longest.end);
  if (lengths.size() > host::Distribution::kKept) return;
  for (const uint64_t per_mille : {500, 950, 990}) {
    const size_t rank = (per_mille * lengths.size() + 999) / 1000;
    RC_ASSERT(reported.quantile(per_mille) == lengths[rank - 1]);
  }
}

// Each switch that `counts`, by its cause.
template <typename Counts>
host::Switches switches_in(const SimulatedTrace& trace, const Stretch& stretch,
                           const Counts& counts) {
  host::Switches sum;
  for (const SimulatedSwitch& one : trace.switches) {
    if (stretch.has(one.time) && counts(one)) ++sum.by_cause[one.cause];
  }
  return sum;
}

void check_switches(const host::Statistics& reported, const SimulatedTrace& trace,
                    const Stretch& stretch) {
  for (const auto& [koid, thread] : trace.threads) {
    const uint64_t number = koid;
    const auto found = reported.threads.find(koid);
    const host::ThreadStatistics none;
    const host::ThreadStatistics& one = found == reported.threads.end() ? none : found->second;
    const auto away = [&](const SimulatedSwitch& any) { return any.from == number; };
    const auto to = [&](const SimulatedSwitch& any) { return any.to == number; };
    RC_ASSERT(one.switches.by_cause == switches_in(trace, stretch, away).by_cause);
    RC_ASSERT(one.runs == switches_in(trace, stretch, to).total());
    RC_ASSERT(one.wakeups == stretch.count(thread.wakeups));
    RC_ASSERT(one.missing_wakeups == 0U);
  }
  for (unsigned cpu = 0; cpu < kSimCpus; ++cpu) {
    const auto there = [&](const SimulatedSwitch& any) { return any.cpu == cpu; };
    RC_ASSERT(reported.cpus.at(cpu).switches.by_cause ==
              switches_in(trace, stretch, there).by_cause);
  }
}

void check_equal(const SimulatedTrace& trace, const Stretch& stretch) {
  const std::map<uint64_t, uint64_t> times = times_by_offset(archive_of(trace.records));
  const host::Statistics reported = statistics_of(trace, stretch);
  for (const auto& [koid, thread] : trace.threads) {
    const auto found = reported.threads.find(koid);
    const host::ThreadStatistics none;
    const host::ThreadStatistics& one = found == reported.threads.end() ? none : found->second;
    RC_ASSERT(one.time(ThreadTime::kRunning) == ticks_in(thread, kSimRunning, stretch));
    RC_ASSERT(one.time(ThreadTime::kRunnable) == ticks_in(thread, kSimRunnable, stretch));
    RC_ASSERT(one.time(ThreadTime::kBlocked) == ticks_in(thread, kSimBlocked, stretch));
    RC_ASSERT(one.time(ThreadTime::kWaiting) == 0U);
    RC_ASSERT(one.time(ThreadTime::kUnknown) == 0U);
    for (const auto& [cpu, ticks] : one.running_by_cpu)
      RC_ASSERT(ticks == ticks_on(thread, cpu, stretch));
    check_lengths(one.latency, thread.latencies, stretch, times);
    check_lengths(one.run, thread.runs, stretch, times);
    check_lengths(one.block, thread.blocks, stretch, times);
  }
  for (const auto& [number, cpu] : reported.cpus) {
    const auto& idle = trace.threads.at(kSimIdle + number);
    RC_ASSERT(cpu.idle == ticks_in(idle, kSimRunning, stretch));
    RC_ASSERT(cpu.idle + cpu.busy == stretch.to - stretch.from);
    RC_ASSERT(cpu.unknown == 0U);
    RC_ASSERT(cpu.observed == stretch.to - stretch.from);
  }
}

RC_GTEST_PROP(SchedulingStatistics, AreWhatTheKernelCounted, (const Choices& choices)) {
  const SimulatedTrace trace = simulate(choices);
  const Stretch stretch = any_stretch(0, trace.end);
  check_equal(trace, stretch);
  check_switches(statistics_of(trace, stretch), trace, stretch);
}

RC_GTEST_PROP(SchedulingStatistics, DoNotDependOnTheOrderOfRecords, (const Choices& choices)) {
  SimulatedTrace trace = simulate(choices);
  std::reverse(trace.records.begin(), trace.records.end());
  check_equal(trace, {0, trace.end});
}

// Switches away from threads that come in on another CPU by the next switch, one tick later. No
// switch is both of these.
std::set<size_t> moves_in(const SimulatedTrace& trace) {
  std::vector<size_t> switches;
  for (size_t i = 0; i < trace.records.size(); ++i)
    if (trace.records[i].kind == TraceRecord::kSwitch) switches.push_back(i);
  std::set<size_t> moves;
  for (size_t i = 0; i + 2 < switches.size(); ++i) {
    const TraceRecord& away = trace.records[switches[i]];
    const TraceRecord& in = trace.records[switches[i + 1]];
    const TraceRecord& next = trace.records[switches[i + 2]];
    if (in.time != away.time + 1 || next.time == in.time) continue;
    if (in.cpu == away.cpu || in.incoming != away.thread) continue;
    moves.insert(switches[i++]);
  }
  return moves;
}

// Kernels hand a thread over before the CPU that it leaves records that, and clocks differ.
RC_GTEST_PROP(SchedulingStatistics, KnowAThreadThatComesInAheadOfTheRecordOfItsLeaving,
              (const Choices& choices)) {
  constexpr uint64_t kTicks = 10;  // now, for each of before
  const SimulatedTrace trace = simulate(choices);
  const uint64_t late = *rc::gen::inRange<uint64_t>(kTicks + 1, 2 * kTicks);
  const std::set<size_t> moves = moves_in(trace);
  SimulatedTrace shifted;
  std::map<uint64_t, uint64_t> earlier;
  std::map<uint64_t, uint64_t> later;
  std::map<unsigned, uint64_t> unknown;
  for (size_t i = 0; i < trace.records.size(); ++i) {
    TraceRecord record = trace.records[i];
    record.time *= kTicks;
    if (moves.contains(i)) {
      record.time += late;
      earlier[record.thread] += kTicks;
      later[record.incoming] += late;
      unknown[record.cpu] += late - kTicks;
    }
    shifted.records.push_back(record);
  }
  std::ranges::stable_sort(shifted.records, {}, &TraceRecord::time);
  const host::Statistics reported = statistics_of(shifted, {0, kTicks * trace.end});
  for (const auto& [koid, thread] : trace.threads) {
    const auto found = reported.threads.find(koid);
    if (found == reported.threads.end()) continue;
    RC_ASSERT(found->second.time(ThreadTime::kRunning) + later[koid] ==
              kTicks * ticks_in(thread, kSimRunning, {0, trace.end}) + earlier[koid]);
    RC_ASSERT(found->second.time(ThreadTime::kUnknown) == 0U);
  }
  for (const auto& [number, cpu] : reported.cpus) RC_ASSERT(cpu.unknown == unknown[number]);
}

// Latencies of the kernel that statistics may have seen, or not.
void check_no_more(const host::Distribution& reported,
                   const std::vector<SimulatedLength>& counted) {
  RC_ASSERT(reported.count() <= counted.size());
  if (reported.count() == 0) return;
  const host::Extent& longest = reported.longest_extent();
  RC_ASSERT(
      std::count(counted.begin(), counted.end(), SimulatedLength{longest.begin, longest.end}) == 1);
}

// Statistics of an incomplete trace claim nothing that the kernel did not count.
void check_claims(const host::Statistics& reported, const SimulatedTrace& trace,
                  const Stretch& stretch) {
  for (const auto& [koid, thread] : trace.threads) {
    const auto found = reported.threads.find(koid);
    if (found == reported.threads.end()) continue;
    const host::ThreadStatistics& one = found->second;
    const uint64_t runnable = ticks_in(thread, kSimRunnable, stretch);
    const uint64_t blocked = ticks_in(thread, kSimBlocked, stretch);
    RC_ASSERT(one.time(ThreadTime::kRunning) <= ticks_in(thread, kSimRunning, stretch));
    RC_ASSERT(one.time(ThreadTime::kRunnable) <= runnable);
    RC_ASSERT(one.time(ThreadTime::kBlocked) <= blocked);
    RC_ASSERT(one.time(ThreadTime::kWaiting) <= runnable + blocked);
    for (const auto& [number, ticks] : one.running_by_cpu)
      RC_ASSERT(ticks <= ticks_on(thread, number, stretch));
    check_no_more(one.latency, thread.latencies);
    check_no_more(one.run, thread.runs);
    check_no_more(one.block, thread.blocks);
  }
  for (const auto& [number, one] : reported.cpus)
    RC_ASSERT(one.busy + one.idle + one.unknown == one.observed);
}

RC_GTEST_PROP(SchedulingStatistics, OfATraceWithLossesClaimNothingThatWasNot,
              (const Choices& choices)) {
  SimulatedTrace trace = simulate(choices);
  std::set<unsigned> losing;
  for (auto losses = *rc::gen::inRange<unsigned>(1, 5); losses > 0; --losses) {
    const auto cpu = *rc::gen::inRange<unsigned>(0, kSimCpus);
    const auto first = *rc::gen::inRange<size_t>(0, 64);
    trace = with_loss(trace, cpu, first, *rc::gen::inRange<size_t>(1, 12));
    losing.insert(cpu);
  }
  const Stretch stretch = any_stretch(0, trace.end);
  const host::Statistics reported = statistics_of(trace, stretch);
  check_claims(reported, trace, stretch);
  for (const auto& [number, one] : reported.cpus) {
    // The running threads of the others are known.
    if (!losing.contains(number)) RC_ASSERT(one.unknown == 0U);
  }
}

RC_GTEST_PROP(SchedulingStatistics, OfATraceWithoutItsBeginningClaimNothingThatWasNot,
              (const Choices& choices)) {
  const SimulatedTrace whole = simulate(choices);
  const auto missing = *rc::gen::inRange<size_t>(0, whole.records.size());
  const SimulatedTrace trace = without_beginning(whole, missing);
  const Stretch stretch = any_stretch(0, trace.end);
  check_claims(statistics_of(trace, stretch), trace, stretch);
  // From the first switch on, the running thread is known: nothing is missing behind the beginning.
  const host::Statistics all = statistics_of(trace, {0, trace.end});
  for (const auto& [number, one] : all.cpus) {
    const auto first = std::find_if(
        trace.records.begin(), trace.records.end(), [cpu = number](const TraceRecord& record) {
          return record.kind == TraceRecord::kSwitch && record.cpu == cpu;
        });
    RC_ASSERT(one.observed == trace.end - first->time);
    RC_ASSERT(one.unknown == 0U);
    const Stretch known{first->time, trace.end};
    RC_ASSERT(one.idle == ticks_in(trace.threads.at(kSimIdle + number), kSimRunning, known));
  }
}

RC_GTEST_PROP(SchedulingStatistics, UpToTheLossAreWhatTheKernelCounted, (const Choices& choices)) {
  const SimulatedTrace whole = simulate(choices);
  const auto first = *rc::gen::inRange<size_t>(1, 64);
  SimulatedTrace trace = with_loss(whole, 1, first, 5);
  if (trace.loss.begin == 0) return;
  check_equal(trace, {0, trace.loss.begin});
}

}  // namespace
}  // namespace barefxt::test::scheduling_property_test
