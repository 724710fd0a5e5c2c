// The cause of each tick by its definition (docs/reference/explain.md), looked up in the ticks of a
// simulated system: slow, and without a line in common with the engine.
#pragma once

#include <algorithm>
#include <set>
#include <string>

#include <barefxt/host/explain.h>

#include "simulated_system.h"

namespace barefxt::test::explaining {

class SlowEvaluator {
 public:
  explicit SlowEvaluator(const System& system) : system_(system) {
    for (unsigned cpu = 0; cpu < kMaxCpus; ++cpu) cuts_[cpu].resize(system.ticks.size() + 1);
    for (const Record& one : system.records) {
      switch (one.kind) {
        case Record::kInterrupt:
          cuts_[one.cpu][one.other] = true;
          [[fallthrough]];
        case Record::kSwitch:
        case Record::kWakeup:
        case Record::kInterruptBegin:
        case Record::kInterruptEnd:
          cuts_[one.cpu][one.time] = true;
          break;
        default:
          break;
      }
      if (one.kind == Record::kInterrupt || one.kind == Record::kInterruptEnd)
        lengths_[{one.cpu, one.number}].push_back(one.time - one.other);
    }
    for (auto& [key, lengths] : lengths_) std::sort(lengths.begin(), lengths.end());
  }

  // As text, so that it can be compared with that of an explanation.
  std::string cause(uint64_t thread, uint64_t tick) const { return of(thread, tick, thread, {}); }

 private:
  const Tick& at(uint64_t tick) const { return system_.ticks[tick]; }

  std::string of(uint64_t thread, uint64_t tick, uint64_t top,
                 std::vector<std::pair<unsigned, uint64_t>> locks) const {
    const Tick& now = at(tick);
    switch (now.state.at(thread)) {
      case Is::kNowhere:
        return "unknown";
      case Is::kRunning: {
        const unsigned cpu = cpu_of(thread, tick);
        if (!now.interrupts[cpu].empty()) return interrupt(cpu, tick) + shown(locks);
        return (thread == top ? "running" : "holder:" + std::to_string(thread)) + on(cpu) +
               shown(locks);
      }
      case Is::kReady: {
        const std::string kept = ready(thread, tick, top, locks);
        return kept == "unknown" ? kept : kept + shown(locks);
      }
      case Is::kBlocked:
        break;
    }
    const auto wait = now.waits_for.find(thread);
    const std::string self = thread == top ? "blocked" : "holder_blocked:" + std::to_string(thread);
    if (wait == now.waits_for.end()) return self + shown(locks);
    const uint64_t holder = now.holder[wait->second];
    if (holder == kNobody) return self + " free " + lock_name(wait->second) + shown(locks);
    locks.emplace_back(wait->second, holder);
    return of(holder, tick, top, locks);
  }

  std::string ready(uint64_t thread, uint64_t tick, uint64_t top,
                    const std::vector<std::pair<unsigned, uint64_t>>& locks) const {
    uint64_t next = tick;
    while (next < system_.ticks.size() && at(next).state.at(thread) == Is::kReady) ++next;
    // It is not ready any more, so it runs, if only for less than a tick.
    std::optional<unsigned> cpu = next_cpu(thread, tick, next);
    if (system_.options.cpus == 1) cpu = 0;
    if (!cpu) return "unknown";
    const Tick& now = at(tick);
    if (!now.interrupts[*cpu].empty()) return interrupt(*cpu, tick);
    const uint64_t runner = now.current[*cpu];
    if (runner >= kIdle) return "idle" + on(*cpu);
    const std::optional<unsigned> last = last_cpu(thread, tick);
    if (last && *last != *cpu && now.current[*last] >= kIdle && now.interrupts[*last].empty())
      return "migration:" + std::to_string(runner) + on(*cpu) + "<" + std::to_string(*last);
    const unsigned over = now.priority.at(thread);
    const unsigned priority = now.priority.at(runner);
    std::string text = (priority > over ? "higher:" : "lower:") + std::to_string(runner) + on(*cpu);
    if (!locks.empty() && priority >= over && now.priority.at(top) > priority) text += " inversion";
    return text;
  }

  // From the switches, since a run may be shorter than a tick.
  std::optional<unsigned> next_cpu(uint64_t thread, uint64_t tick, uint64_t until) const {
    for (const Record& one : system_.records)
      if (one.kind == Record::kSwitch && one.other == thread && one.time > tick &&
          one.time <= until)
        return one.cpu;
    return std::nullopt;
  }
  std::optional<unsigned> last_cpu(uint64_t thread, uint64_t tick) const {
    std::optional<unsigned> last;
    for (const Record& one : system_.records)
      if (one.kind == Record::kSwitch && one.other == thread && one.time <= tick) last = one.cpu;
    return last;
  }
  unsigned cpu_of(uint64_t thread, uint64_t tick) const {
    unsigned cpu = 0;
    while (at(tick).current[cpu] != thread) ++cpu;
    return cpu;
  }

  std::string interrupt(unsigned cpu, uint64_t tick) const {
    const unsigned number = at(tick).interrupts[cpu].back();
    uint64_t begin = tick;
    while (!cuts_[cpu][begin]) --begin;
    uint64_t end = tick + 1;
    while (end < system_.ticks.size() && !cuts_[cpu][end]) ++end;
    const auto known = lengths_.find({cpu, number});
    bool is_stall = false;
    if (known != lengths_.end() && known->second.size() >= 8) {
      const std::vector<uint64_t>& lengths = known->second;
      const uint64_t median = lengths[(lengths.size() + 1) / 2 - 1];
      is_stall = end - begin >= 8 * std::max<uint64_t>(median, 1);
    }
    return (is_stall ? "stall:" : "interrupt:") + interrupt_name(number) + on(cpu);
  }

  static std::string on(unsigned cpu) { return "@" + std::to_string(cpu); }
  static std::string shown(const std::vector<std::pair<unsigned, uint64_t>>& locks) {
    std::string text;
    for (const auto& [lock, holder] : locks)
      text += " |" + lock_name(lock) + "/" + std::to_string(holder);
    return text;
  }

  const System& system_;
  std::array<std::vector<bool>, kMaxCpus> cuts_;
  std::map<std::pair<unsigned, unsigned>, std::vector<uint64_t>> lengths_;
};

// The same text of an explanation's cause.
inline std::string shown(const host::Cause& cause) {
  using host::CauseKind;
  std::string text(host::name_of(cause.kind));
  if (cause.kind == CauseKind::kUnknown) return text;
  if (cause.kind == CauseKind::kInterrupt || cause.kind == CauseKind::kStall)
    text += ":" + cause.interrupt;
  if (cause.thread) text += ":" + std::to_string(*cause.thread);
  if (cause.is_free) text += " free " + cause.object->label.name;
  if (cause.cpu && cause.kind != CauseKind::kHolderBlocked)
    text += "@" + std::to_string(*cause.cpu);
  if (cause.from_cpu) text += "<" + std::to_string(*cause.from_cpu);
  if (cause.is_inversion) text += " inversion";
  for (const host::HeldLock& one : cause.locks)
    text += " |" + one.lock.label.name + "/" + std::to_string(one.holder);
  return text;
}

}  // namespace barefxt::test::explaining
