#include "measured.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "archive/archive_provider.h"

namespace barefxt::test {
namespace {

using host::Distribution;
using host::Statistics;
using host::ThreadTime;

// Stands for a name or a thread that a loss took.
constexpr const char* kLostName = "string#";

std::string thread_key(uint64_t koid) {
  return host::is_unknown_thread(koid) ? kLostName : std::to_string(koid);
}

class Measuring {
 public:
  explicit Measuring(const Statistics& statistics) {
    for (const auto& [number, cpu] : statistics.cpus) see_cpu("cpu/" + std::to_string(number), cpu);
    for (const auto& [koid, thread] : statistics.threads) see_thread(koid, thread);
    for (const auto& [key, one] : statistics.interrupts) {
      const std::string row = "interrupt/" + std::to_string(key.cpu) + " " + key.name;
      add(row, "length", one.length);
      add(row, "kept off", one.kept_off);
      to_.amounts[row + "/nested"] = one.nested;
    }
    see_durations("duration/", statistics.durations,
                  [](const host::ProbeName& key) { return key.category + " " + key.name; });
    see_durations("function/", statistics.functions, [](const std::string& key) { return key; });
    for (const auto& [key, one] : statistics.counters) {
      const std::string row = "counter/" + key.label.category + " " + key.label.name + " " +
                              std::to_string(key.id) + " " + key.argument;
      to_.amounts[row + "/samples"] = one.samples;
      to_.amounts[row + "/covered"] = one.covered;
      if (!one.real && one.samples > 0) to_.ranges[row] = {one.least, one.most};
    }
    for (const auto& [key, one] : statistics.flows) {
      const std::string row = "flow/" + key.category + " " + key.name;
      to_.amounts[row + "/begun"] = one.begun;
      to_.amounts[row + "/steps"] = one.steps;
      add(row, "end to end", one.end_to_end);
    }
    for (const auto& [key, one] : statistics.contention) {
      const std::string row = "wait/" + key.label.category + " " + key.label.name + " " +
                              std::to_string(key.pointer.value_or(0));
      add(row, "wait", one.wait);
      to_.amounts[row + "/woken in vain"] = one.woken_in_vain;
    }
    for (const auto& [key, one] : statistics.jobs) {
      const std::string row = "job/" + thread_key(key.thread) + " " + key.name;
      add(row, "response", one.response);
      add(row, "interval", one.interval);
      to_.amounts[row + "/on time"] = one.on_time;
      to_.amounts[row + "/late but for overdue"] = one.late - one.overdue;
    }
  }
  Measured take() { return std::move(to_); }

 private:
  void add(const std::string& row, const char* set, const Distribution& lengths) {
    Lengths& all = to_.lengths[row + "/" + set];
    lengths.for_each_class([&](uint64_t low, uint64_t high, uint64_t count) {
      EXPECT_EQ(low, high) << "every length is kept";
      all[low] += count;
    });
  }
  void see_cpu(const std::string& row, const host::CpuStatistics& cpu) {
    to_.amounts[row + "/busy"] = cpu.busy;
    to_.amounts[row + "/idle"] = cpu.idle;
    to_.amounts[row + "/switches"] = cpu.switches.total();
  }
  void see_thread(uint64_t koid, const host::ThreadStatistics& thread) {
    const std::string row = "thread/" + thread_key(koid);
    const uint64_t runnable = thread.time(ThreadTime::kRunnable);
    const uint64_t blocked = thread.time(ThreadTime::kBlocked);
    to_.amounts[row + "/running"] = thread.time(ThreadTime::kRunning);
    to_.amounts[row + "/runnable"] = runnable;
    to_.amounts[row + "/blocked"] = blocked;
    to_.amounts[row + "/not running"] = runnable + blocked + thread.time(ThreadTime::kWaiting);
    to_.amounts[row + "/runs"] = thread.runs;
    to_.amounts[row + "/switches"] = thread.switches.total();
    to_.amounts[row + "/wakeups"] = thread.wakeups;
    add(row, "latency", thread.latency);
    add(row, "run", thread.run);
    add(row, "block", thread.block);
  }
  template <typename Durations, typename Key>
  void see_durations(const std::string& kind, const Durations& durations, const Key& key_of) {
    for (const auto& [key, one] : durations) {
      const std::string row = kind + key_of(key);
      add(row, "total", one.total);
      to_.amounts[row + "/self count"] = one.self_count;
      to_.amounts[row + "/all"] = one.total.count() + one.in_doubt;
    }
  }

  Measured to_;
};

bool is_included(const Lengths& some, const Lengths& all) {
  return std::ranges::all_of(some, [&](const auto& one) {
    const auto found = all.find(one.first);
    return found != all.end() && one.second <= found->second;
  });
}

// "kind/" and "/set" of a row's name: what is left where the name is lost.
std::string kind_of(const std::string& row) {
  return row.substr(0, row.find('/') + 1) + row.substr(row.rfind('/'));
}

bool has_lost_name(const std::string& row) { return row.find(kLostName) != std::string::npos; }

std::map<std::string, Lengths> by_kind(const std::map<std::string, Lengths>& rows) {
  std::map<std::string, Lengths> all;
  for (const auto& [row, lengths] : rows)
    for (const auto& [length, count] : lengths) all[kind_of(row)][length] += count;
  return all;
}

}  // namespace

Measured measured(const Statistics& statistics) { return Measuring(statistics).take(); }

std::string first_invented(const Measured& damaged, const Measured& sound) {
  for (const auto& [row, lengths] : damaged.lengths) {
    if (lengths.empty() || has_lost_name(row)) continue;
    const auto found = sound.lengths.find(row);
    if (found == sound.lengths.end() || !is_included(lengths, found->second)) return row;
  }
  const std::map<std::string, Lengths> all = by_kind(sound.lengths);
  for (const auto& [kind, lengths] : by_kind(damaged.lengths))
    if (!lengths.empty() && (!all.contains(kind) || !is_included(lengths, all.at(kind))))
      return kind;
  for (const auto& [row, amount] : damaged.amounts) {
    if (amount == 0 || has_lost_name(row)) continue;
    const auto found = sound.amounts.find(row);
    if (found == sound.amounts.end() || amount > found->second)
      return row + ": " + std::to_string(amount);
  }
  for (const auto& [row, range] : damaged.ranges) {
    if (has_lost_name(row)) continue;
    const auto found = sound.ranges.find(row);
    if (found == sound.ranges.end() || range.first < found->second.first ||
        range.second > found->second.second)
      return row;
  }
  return {};
}

}  // namespace barefxt::test
