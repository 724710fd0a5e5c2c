// Sums of threads.
#include "groups.h"

namespace barefxt::host {
namespace {

// By name all have one process: none.
using Key = std::pair<std::optional<uint64_t>, std::string>;

Key key_of(const Statistics& statistics, uint64_t koid, GroupBy by) {
  if (by == GroupBy::kName) return {std::nullopt, statistics.name_of(koid)};
  const auto thread = statistics.names.find(koid);
  if (thread == statistics.names.end()) return {};
  const std::optional<uint64_t>& process = thread->second.process;
  if (!process) return {};
  const auto named = statistics.process_names.find(*process);
  return {process, named == statistics.process_names.end() ? std::string() : named->second};
}

void add(ThreadStatistics& sum, const ThreadStatistics& one, Precision precision) {
  for (size_t i = 0; i < kThreadTimeKinds; ++i) sum.time_in[i] += one.time_in[i];
  for (size_t i = 0; i < kSwitchCauses; ++i) sum.switches.by_cause[i] += one.switches.by_cause[i];
  std::map<unsigned, uint64_t> by_cpu(sum.running_by_cpu.begin(), sum.running_by_cpu.end());
  for (const auto& [cpu, ticks] : one.running_by_cpu) by_cpu[cpu] += ticks;
  sum.running_by_cpu.assign(by_cpu.begin(), by_cpu.end());
  sum.runs += one.runs;
  sum.wakeups += one.wakeups;
  sum.missing_wakeups += one.missing_wakeups;
  sum.latency.add(one.latency, precision);
  sum.run.add(one.run, precision);
  sum.block.add(one.block, precision);
}

}  // namespace

void group(Statistics& statistics, GroupBy by) {
  statistics.group_by = by;
  if (by == GroupBy::kThread) return;
  std::map<Key, ThreadGroup> groups;
  for (const auto& [koid, thread] : statistics.threads) {
    const Key key = key_of(statistics, koid, by);
    ThreadGroup& group = groups[key];
    std::tie(group.process, group.name) = key;
    group.idle = group.idle && statistics.is_idle(koid);
    ++group.threads;
    add(group.sum, thread, statistics.precision);
  }
  for (auto& [key, group] : groups) statistics.groups.push_back(std::move(group));
}

}  // namespace barefxt::host
