// The bookkeeping of CPUs, threads and slices.
#include "timeline.h"

#include <algorithm>

namespace barefxt::host {
namespace {

constexpr std::size_t kMostEntries = std::size_t{1} << 20;
constexpr std::size_t kMostOpen = 4096;

}  // namespace

void Timeline::add(const Moment& moment) {
  switch (moment.kind) {
    case MomentKind::kSwitch:
      return change(moment);
    case MomentKind::kWakeup:
      return wake(moment);
    case MomentKind::kBegin: {
      if (open_.size() >= kMostEntries && !open_.contains(moment.thread)) {
        ++statistics_.left_out;
        return;
      }
      std::vector<Open>& stack = open_[moment.thread];
      if (stack.size() < kMostOpen) {
        stack.push_back({moment.time, moment.label});
      } else {
        ++statistics_.left_out;
      }
      return;
    }
    case MomentKind::kEnd:
      return end(moment);
    case MomentKind::kComplete: {
      const auto stack = open_.find(moment.thread);
      const bool outermost = stack == open_.end() || stack->second.empty();
      return slice(moment.thread, moment.label, moment.incoming, moment.time, outermost);
    }
    case MomentKind::kLoss:
      return lose(moment);
  }
}

void Timeline::change(const Moment& moment) {
  CpuStatistics& sum = statistics_.cpus[moment.cpu];
  const auto [entry, first] = cpus_.try_emplace(moment.cpu);
  Cpu& cpu = entry->second;
  if (first) {
    sum.first_switch = moment.time;
  } else if (!cpu.known || cpu.running == moment.thread) {
    sum.by_thread[moment.thread] += moment.time - cpu.since;
  } else {
    // A switch is missing between the two.
    sum.unknown += moment.time - cpu.since;
  }
  ++sum.switches;
  cpu = {true, moment.incoming, moment.time};

  ThreadStatistics& thread = statistics_.threads[moment.incoming];
  ++thread.runs;
  const auto woken = woken_.find(moment.incoming);
  if (woken != woken_.end()) {
    thread.latency.add(moment.time - woken->second);
    woken_.erase(woken);
  }
}

bool Timeline::runs_somewhere(std::uint64_t thread) const {
  return std::any_of(cpus_.begin(), cpus_.end(), [&](const auto& entry) {
    return entry.second.known && entry.second.running == thread;
  });
}

void Timeline::wake(const Moment& moment) {
  ++statistics_.threads[moment.thread].wakeups;
  // Waking a thread that runs makes nobody wait.
  if (runs_somewhere(moment.thread)) return;
  if (woken_.size() < kMostEntries) woken_.try_emplace(moment.thread, moment.time);
}

// Between its begin and its end nobody knows who ran on that CPU; `cpu` is what the name of the
// pseudo-thread says, or every CPU where it says nothing.
void Timeline::lose(const Moment& moment) {
  constexpr std::uint32_t kEvery = ~std::uint32_t{0};
  for (auto& [number, cpu] : cpus_) {
    if (moment.cpu != kEvery && moment.cpu != number) continue;
    if (cpu.since >= moment.time) continue;
    CpuStatistics& sum = statistics_.cpus[number];
    const std::uint64_t from = std::max(cpu.since, moment.incoming);
    if (cpu.known) {
      sum.by_thread[cpu.running] += from - cpu.since;
    } else {
      sum.unknown += from - cpu.since;
    }
    sum.unknown += moment.time - from;
    cpu = {false, 0, moment.time};
  }
  woken_.clear();
}

void Timeline::end(const Moment& moment) {
  const auto stack = open_.find(moment.thread);
  if (stack == open_.end() || stack->second.empty()) {
    ++statistics_.unmatched_ends;
    return;
  }
  const Open open = stack->second.back();
  stack->second.pop_back();
  slice(moment.thread, open.label, open.since, moment.time, stack->second.empty());
}

void Timeline::slice(std::uint64_t thread, std::uint32_t label, std::uint64_t begin,
                     std::uint64_t end, bool outermost) {
  durations_[label].add(end - begin);
  const auto name = statistics_.names.find(thread);
  if (name == statistics_.names.end()) return;
  const auto cpu = cpu_of_name(name->second.name);
  if (!cpu) return;
  InterruptStatistics& interrupts = statistics_.interrupts[*cpu];
  interrupts.each.add(end - begin);
  if (outermost) interrupts.busy += end - begin;
}

void Timeline::finish() {
  for (const auto& [number, cpu] : cpus_) {
    CpuStatistics& sum = statistics_.cpus[number];
    if (statistics_.last < cpu.since) continue;
    if (cpu.known) {
      sum.by_thread[cpu.running] += statistics_.last - cpu.since;
    } else {
      sum.unknown += statistics_.last - cpu.since;
    }
  }
  for (const auto& [thread, stack] : open_) statistics_.unmatched_begins += stack.size();
  for (const auto& [label, durations] : durations_)
    statistics_.durations[labels_[label]] = durations;
}

}  // namespace barefxt::host
