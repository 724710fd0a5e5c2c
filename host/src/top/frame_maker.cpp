#include "frame_maker.h"

#include <algorithm>
#include <utility>

#include "figures/shares.h"

namespace barefxt::top {
namespace {

using host::share;
using host::Statistics;
using host::ThreadTime;

std::string name_of(const Statistics& figures, uint64_t koid) {
  std::string name = figures.name_of(koid);
  return name.empty() ? host::formatted("thread {}", koid) : name;
}

std::string name_of(const Statistics& figures, const host::ObjectKey& object) {
  std::string name = figures.name_of(object);
  if (name.empty()) name = object.label.name;
  return name.empty() ? "lock" : name;
}

void add_interrupts(const Statistics& figures, Frame& frame) {
  for (const auto& [key, one] : figures.interrupts)
    frame.interrupts.push_back({.cpu = key.cpu,
                                .name = key.name,
                                .count = one.length.count(),
                                .rate = host::rate(figures, key.cpu, one.length.count()),
                                .total = one.length.total(),
                                .longest = one.length.longest()});
}

void add_locks(const Statistics& figures, Frame& frame) {
  for (const auto& [key, one] : figures.contention) {
    LockRow row{.name = name_of(figures, key),
                .waits = one.wait.count(),
                .waiting = one.unfinished,
                .total = one.wait.total(),
                .longest = one.wait.longest(),
                .holder = {}};
    const auto longest = std::max_element(
        one.by_holder.begin(), one.by_holder.end(),
        [](const auto& a, const auto& b) { return a.second.longest() < b.second.longest(); });
    if (longest != one.by_holder.end())
      if (const auto& holder = longest->first; holder) row.holder = name_of(figures, *holder);
    frame.locks.push_back(std::move(row));
  }
}

void add_losses(const Statistics& figures, Frame& frame) {
  for (const auto& [key, one] : figures.losses)
    frame.losses.push_back({.thread = key.first,
                            .where = key.second,
                            .times = one.times,
                            .records = one.records,
                            .is_lower_bound = one.records_unknown});
}

}  // namespace

void FrameMaker::forget() {
  past_.clear();
  counters_.clear();
}

// Null until a second of the trace is there.
const FrameMaker::Past* FrameMaker::a_second_before(const Statistics& figures) {
  if (past_.empty() || past_.back().last < figures.last) {
    Past now{.last = figures.last, .busy = {}, .running = {}};
    for (const auto& [number, cpu] : figures.cpus) now.busy[number] = cpu.busy;
    for (const auto& [koid, thread] : figures.threads)
      now.running[koid] = thread.time(ThreadTime::kRunning);
    past_.push_back(std::move(now));
  }
  const uint64_t second = figures.ticks_per_second;
  while (past_.size() > 2 && past_[1].last + second <= figures.last) past_.pop_front();
  constexpr size_t kMaxPast = 64;
  if (past_.size() > kMaxPast) past_.pop_front();
  return past_.size() < 2 ? nullptr : &past_.front();
}

void FrameMaker::add_cpus(const Statistics& figures, const Past* past, Frame& frame) const {
  for (const auto& [number, cpu] : figures.cpus) {
    CpuRow row{.cpu = number,
               .now = {},
               .busy = share(cpu.busy, cpu.observed),
               .idle = share(cpu.idle, cpu.observed),
               .unknown = share(cpu.unknown, cpu.observed),
               .lost = share(cpu.lost, figures.span()),
               .switches = cpu.switches.total()};
    if (past != nullptr)
      if (const auto before = past->busy.find(number); before != past->busy.end())
        row.now = share(cpu.busy - before->second, figures.last - past->last);
    frame.cpus.push_back(row);
  }
}

void FrameMaker::add_threads(const Statistics& figures, const Past* past, Frame& frame) const {
  for (const auto& [koid, thread] : figures.threads) {
    const auto share_of = [&](ThreadTime what) {
      return share(thread.time(what), host::base_of(figures, thread, static_cast<size_t>(what)));
    };
    ThreadRow row;
    row.koid = koid;
    row.name = name_of(figures, koid);
    row.is_idle = figures.is_idle(koid);
    row.running = share_of(ThreadTime::kRunning);
    row.runnable = share_of(ThreadTime::kRunnable);
    row.blocked = share_of(ThreadTime::kBlocked) + share_of(ThreadTime::kWaiting);
    row.unknown = share_of(ThreadTime::kUnknown);
    row.switches = thread.switches.total();
    row.wakeups = thread.wakeups;
    if (thread.latency.count() != 0) {
      row.worst_latency = thread.latency.longest();
      row.worst_at = thread.latency.longest_extent().end;
    }
    if (past != nullptr) {
      const auto before = past->running.find(koid);
      const uint64_t ran = before == past->running.end() ? 0 : before->second;
      row.now = share(thread.time(ThreadTime::kRunning) - ran, figures.last - past->last);
    }
    frame.threads.push_back(std::move(row));
  }
}

void FrameMaker::add_counters(const Statistics& figures, Frame& frame) {
  for (const auto& [key, one] : figures.counters) {
    const auto value = [&](double real, __int128 whole) {
      return one.real ? real : static_cast<double>(whole);
    };
    std::vector<double>& history = counters_[key];
    if (history.size() == kKept) history.erase(history.begin());
    history.push_back(value(one.last_real, one.last));
    std::string name = key.label.name;
    if (!key.argument.empty() && key.argument != name) name += "." + key.argument;
    if (key.id != 0) host::append(name, " #{}", key.id);
    frame.counters.push_back({.name = std::move(name),
                              .is_real = one.real,
                              .last = value(one.last_real, one.last),
                              .least = value(one.least_real, one.least),
                              .most = value(one.most_real, one.most),
                              .history = history});
  }
}

Frame FrameMaker::make(const Statistics* figures, const host::MergeState& merge, LineFacts line,
                       std::string target) {
  Frame frame;
  frame.line = std::move(line);
  frame.target = std::move(target);
  frame.is_over = merge.is_over;
  frame.held_by = merge.held_by;
  frame.late_records = merge.late_records;
  if (figures == nullptr) return frame;
  frame.has_begun = true;
  frame.ticks_per_second = figures->ticks_per_second;
  frame.first = figures->first;
  frame.span = figures->seconds(static_cast<double>(figures->span()));
  frame.behind = figures->seconds(static_cast<double>(merge.newest - merge.merged));
  const Past* const past = a_second_before(*figures);
  add_cpus(*figures, past, frame);
  add_threads(*figures, past, frame);
  add_interrupts(*figures, frame);
  add_locks(*figures, frame);
  add_counters(*figures, frame);
  add_losses(*figures, frame);
  return frame;
}

}  // namespace barefxt::top
