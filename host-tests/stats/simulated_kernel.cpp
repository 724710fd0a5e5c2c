#include "simulated_kernel.h"

#include <algorithm>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"

namespace barefxt::test {
namespace {

constexpr unsigned kCpus = kSimCpus;

constexpr unsigned kThreads = 5;

uint8_t priority_of(uint64_t thread) { return static_cast<uint8_t>(thread % 4); }

// One tick after the other; in each tick one thing happens.
class Kernel {
 public:
  SimulatedTrace run(const std::vector<uint32_t>& choices) {
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) current_[cpu] = kSimIdle + cpu;
    for (uint64_t i = 0; i < kThreads; ++i) state_[kSimThread + i] = kSimNowhere;
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) state_[kSimIdle + cpu] = kSimRunning;
    // Every CPU switches once, to the same thread, so that all is known from there on.
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) change(cpu, kSimIdle + cpu, 0);
    tick(1);
    for (const uint32_t choice : choices) {
      act(choice);
      tick(1 + choice / 64 % 5);
    }
    trace_.records.push_back({TraceRecord::kInstant, now_, 0});
    trace_.end = now_;
    return std::move(trace_);
  }

 private:
  void tick(unsigned count) {
    for (unsigned i = 0; i < count; ++i, ++now_) {
      for (const auto& [thread, state] : state_) {
        SimulatedThread& one = trace_.threads[thread];
        one.at.push_back(state);
        unsigned where = kCpus;
        for (unsigned cpu = 0; cpu < kCpus; ++cpu) where = current_[cpu] == thread ? cpu : where;
        one.cpu.push_back(where);
      }
    }
  }

  void act(uint32_t choice) {
    const unsigned cpu = choice % kCpus;
    const uint64_t thread = kSimThread + choice / 3 % kThreads;
    const SimulatedState state = state_[thread];
    if (state == kSimNowhere || state == kSimBlocked) return wake(cpu, thread);
    if (state == kSimRunnable) {
      const bool was_idle = current_[cpu] >= kSimIdle;
      return change(cpu, thread, was_idle || choice / 16 % 3 != 0 ? 0 : 3 + choice / 48 % 2);
    }
    // It runs: it blocks, ends or is preempted, without a certain next thread.
    for (unsigned i = 0; i < kCpus; ++i) {
      constexpr std::array<unsigned, 4> kStates = {3, 3, 0, 4};
      if (current_[i] == thread) return change(i, kSimIdle + i, kStates[choice / 16 % 4]);
    }
  }

  void wake(unsigned cpu, uint64_t thread) {
    trace_.records.push_back({TraceRecord::kWakeup, now_, cpu, thread, 0});
    trace_.threads[thread].wakeups.push_back(now_);
    if (state_[thread] == kSimBlocked)
      trace_.threads[thread].blocks.push_back({since_[thread], now_});
    state_[thread] = kSimRunnable;
    woken_[thread] = now_;
  }

  // `state`: what the outgoing thread becomes. 0 runnable, 3 blocked, 4 ended.
  void change(unsigned cpu, uint64_t to, unsigned state) {
    const uint64_t from = current_[cpu];
    // Only the first CPU records priorities.
    const bool priorities = cpu == 0;
    trace_.records.push_back({TraceRecord::kSwitch, now_, cpu, from, to, state, priorities});
    const bool yields = priorities && priority_of(to) <= priority_of(from);
    const unsigned ready = yields ? 1 : 0;
    trace_.switches.push_back({now_, cpu, from, to, state == 0 ? ready : state == 3 ? 2U : 3U});
    if (began_.contains(from)) trace_.threads[from].runs.push_back({began_[from], now_});
    state_[from] = state == 0 ? kSimRunnable : state == 3 ? kSimBlocked : kSimNowhere;
    since_[from] = now_;
    woken_.erase(from);
    if (woken_.contains(to)) trace_.threads[to].latencies.push_back({woken_[to], now_});
    woken_.erase(to);
    state_[to] = kSimRunning;
    began_[to] = now_;
    current_[cpu] = to;
  }

  SimulatedTrace trace_;
  uint64_t now_ = 0;
  std::array<uint64_t, kCpus> current_{};
  std::map<uint64_t, SimulatedState> state_;
  std::map<uint64_t, uint64_t> since_;  // blocked or runnable
  std::map<uint64_t, uint64_t> woken_;
  std::map<uint64_t, uint64_t> began_;  // its last run
};

}  // namespace

SimulatedTrace simulate(const std::vector<uint32_t>& choices) { return Kernel().run(choices); }

SimulatedTrace with_loss(SimulatedTrace trace, unsigned cpu, size_t first, size_t count) {
  std::vector<TraceRecord>& records = trace.records;
  std::vector<size_t> own;
  for (size_t i = 0; i + 1 < records.size(); ++i) {
    if (records[i].cpu == cpu) own.push_back(i);
  }
  if (own.empty()) return trace;
  first %= own.size();
  count = std::min(count, own.size() - first);
  if (count == 0) return trace;
  uint64_t begin = first == 0 ? 0 : records[own[first - 1]].time;
  const uint64_t end = first + count < own.size() ? records[own[first + count]].time : trace.end;
  for (size_t i = count; i-- > 0;) {
    const auto lost = records.begin() + static_cast<ptrdiff_t>(own[first + i]);
    // A report of an earlier loss is replaced by one that covers both.
    if (lost->kind == TraceRecord::kLoss) begin = std::min(begin, lost->incoming);
    records.erase(lost);
  }
  const auto after = std::find_if(records.begin(), records.end(),
                                  [&](const TraceRecord& one) { return one.time >= end; });
  records.insert(after, {TraceRecord::kLoss, end, cpu, 0, begin});
  trace.loss = {begin, end};
  return trace;
}

SimulatedTrace without_beginning(SimulatedTrace trace, size_t missing) {
  std::vector<TraceRecord>& records = trace.records;
  // The record that marks the trace's end stays.
  missing = std::min(missing, records.size() - 1);
  records.erase(records.begin(), records.begin() + static_cast<ptrdiff_t>(missing));
  return trace;
}

std::string archive_of(const std::vector<TraceRecord>& records) {
  constexpr uint64_t kCpuThread = 200;
  MemoryArchive writer(1000);
  for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
    name_thread(writer, kSimIdle + cpu, 0, "idle/" + std::to_string(cpu));
    name_thread(writer, kCpuThread + cpu, 9, "cpu-" + std::to_string(cpu));
  }
  for (uint64_t i = 0; i < kThreads; ++i)
    name_thread(writer, kSimThread + i, 9, "thread " + std::to_string(kSimThread + i));
  for (const TraceRecord& one : records) {
    switch (one.kind) {
      case TraceRecord::kSwitch:
        if (one.priorities) {
          add_switch(writer, one.time, one.cpu, {9, one.thread, priority_of(one.thread)},
                     static_cast<fxt::ThreadState>(one.state),
                     {9, one.incoming, priority_of(one.incoming)});
          break;
        }
        (void)writer.context_switch({.timestamp = one.time,
                                     .cpu = static_cast<uint16_t>(one.cpu),
                                     .outgoing_state = static_cast<fxt::ThreadState>(one.state),
                                     .outgoing = one.thread,
                                     .incoming = one.incoming},
                                    {});
        break;
      case TraceRecord::kWakeup:
        (void)writer.thread_wakeup(
            {.timestamp = one.time, .cpu = static_cast<uint16_t>(one.cpu), .thread = one.thread},
            {});
        break;
      case TraceRecord::kInstant:
        (void)writer.event({.timestamp = one.time, .thread = {0, 9, kSimThread}}, {});
        break;
      case TraceRecord::kLoss:
        add_event(writer, fxt::EventType::kDurationComplete, one.incoming,
                  {0, 9, kCpuThread + one.cpu}, "barefxt", "drop_stats", one.time);
        break;
    }
  }
  return writer.text();
}

}  // namespace barefxt::test
