#include "random_rules.h"

#include <algorithm>

namespace barefxt::test::checking {

Rec RandomRules::record(uint64_t time) {
  Rec one{.kind = Rec::kInstant, .time = time};
  one.thread = kFirstThread + below(kThreads);
  one.number = below(kNames);
  one.cpu = below(kCpus);
  const bool is_irq = one_in(3);
  switch (below(13)) {
    case 0:
    case 1:
    case 2: {
      one.kind = Rec::kSwitch;
      one.thread = running_[one.cpu];
      one.other = kFirstThread + below(kThreads);
      const bool is_elsewhere = std::ranges::count(running_, one.other) > 0;
      if (is_elsewhere) one.other = kIdleThread + one.cpu;
      running_[one.cpu] = one.other;
      break;
    }
    case 3:
      one.kind = Rec::kWakeup;
      break;
    case 4:
    case 5:
      one.kind = Rec::kBegin;
      if (is_irq) one.thread = kFirstCpu + one.cpu;
      break;
    case 6:
    case 7:
      one.kind = Rec::kEnd;
      if (is_irq) one.thread = kFirstCpu + one.cpu;
      break;
    case 8:
      if (!has_completes_) break;
      one.kind = Rec::kComplete;
      if (is_irq) one.thread = kFirstCpu + one.cpu;
      one.other = std::max<uint64_t>(time - std::min<uint64_t>(below(25), time), 11);
      break;
    case 9: {
      one.kind = one_in(2) ? Rec::kFlowBegin : Rec::kFlowEnd;
      if (one.kind == Rec::kFlowBegin || open_flows_.empty()) {
        one.kind = Rec::kFlowBegin;
        one.other = ++flows_;
        open_flows_.push_back(one.other);
      } else {
        const size_t which = below(static_cast<uint32_t>(open_flows_.size()));
        one.other = open_flows_[which];
        open_flows_.erase(open_flows_.begin() + static_cast<ptrdiff_t>(which));
      }
      break;
    }
    case 10:
      one.kind = one_in(2) ? Rec::kHold : Rec::kRelease;
      one.number = below(kLocks);
      break;
    case 11:
      one.kind = one_in(2) ? Rec::kCounter : Rec::kStack;
      one.value = below(20);
      if (one.kind == Rec::kStack) one.other = one_in(4) ? kFirstCpu + one.cpu : one.thread;
      break;
    default:
      break;
  }
  return one;
}

RuleTrace RandomRules::trace(unsigned records, unsigned losses, bool has_completes) {
  has_completes_ = has_completes;
  RuleTrace all;
  for (unsigned cpu = 0; cpu < kCpus; ++cpu) running_[cpu] = kIdleThread + cpu;
  if (one_in(2)) running_[0] = kFirstThread;
  flows_ = 0;
  open_flows_.clear();
  uint64_t time = 10;
  all.add({.kind = Rec::kInstant, .time = time, .number = 0});
  ++time;
  for (unsigned i = 0; i < records; ++i) {
    time += below(4);
    all.add(record(time));
  }
  const uint64_t last = time + 1 + below(10);
  // Losses of one CPU lie apart.
  uint64_t from[kCpus] = {12, 12};
  for (unsigned i = below(losses + 1); i > 0; --i) {
    const unsigned cpu = below(kCpus);
    const uint64_t begin = from[cpu] + below(60);
    const uint64_t end = begin + below(20);
    if (end >= last) continue;
    from[cpu] = end + 3;
    const auto after = std::ranges::find_if(all.records(), [&](const Rec& one) {
      return one.time > end || (one.time == end && one_in(2));
    });
    all.records().insert(after, {.kind = Rec::kLoss, .time = end, .other = begin, .cpu = cpu});
  }
  return all.add({.kind = Rec::kInstant, .time = last, .number = 0});
}

std::string RandomRules::event() {
  switch (below(11)) {
    case 0:
      return "slice " + name();
    case 1:
      return "slice " + name() + " ends";
    case 2:
      return "irq " + name();
    case 3:
      return "irq " + name() + " ends";
    case 4:
      return "thread " + thread() + " runs";
    case 5:
      return "thread " + thread() + " stops";
    case 6:
      return "thread " + thread() + " wakes";
    case 7:
      return "lock " + lock() + (one_in(2) ? " taken" : " released") +
             (one_in(2) ? " by " + thread() : "");
    case 8:
      return "flow " + name() + (one_in(2) ? " begins" : " ends");
    default:
      return name();
  }
}

std::string RandomRules::state() {
  switch (below(4)) {
    case 0:
      return "thread " + thread() + " runs";
    case 1:
      return "lock " + lock() + " held" + (one_in(2) ? " by " + thread() : "");
    case 2:
      return "irq " + name();
    default:
      return "slice " + name();
  }
}

std::string RandomRules::comparison() {
  static constexpr const char* kAll[] = {"<", "<=", ">", ">=", "="};
  return std::string(" ") + kAll[below(5)] + " ";
}

std::string RandomRules::window() {
  std::string text;
  const auto edge = [&] { return one_in(2) ? event() : std::to_string(12 + below(120)) + "ns"; };
  if (one_in(3)) text += " from " + edge();
  if (one_in(3)) text += " to " + edge();
  return text;
}

std::string RandomRules::form() {
  switch (below(9)) {
    case 0: {
      std::string text = "after " + event() + " within " + time(15) + " " + event();
      while (one_in(3)) text += " then within " + time(15) + " " + event();
      return text;
    }
    case 1:
      return "after " + event() + " within " + time(15) + " thread " + thread() + " runs";
    case 2:
      return "never " + (one_in(2) ? event() : state()) + (one_in(6) ? "" : " while " + state());
    case 3: {
      const uint32_t period = 3 + below(20);
      std::string text = "every " + std::to_string(period) + "ns +- " +
                         std::to_string(below((period + 1) / 2)) + "ns ";
      if (one_in(3)) text += "offset " + std::to_string(below(40)) + "ns ";
      if (!one_in(3)) return text + event();
      return text + (one_in(2) ? "slice " : "irq ") + name() + " done within " + time(15);
    }
    case 4:
      return (one_in(2) ? "slice " : "irq ") + name() + " lasts" + comparison() + time(20);
    case 5:
      return "between " + event() + " and " + event() +
             (one_in(3)   ? " exactly "
              : one_in(2) ? " at least "
                          : " at most ") +
             std::to_string(below(3)) + " " + event();
    case 6:
      return one_in(2) ? "counter " + name() + comparison() + std::to_string(below(20)) + " always"
                       : "stack " + (one_in(4) ? "\"cpu-*\"" : thread()) + " left" + comparison() +
                             std::to_string(below(20));
    case 7: {
      const bool is_share = one_in(2);
      return "flow " + name() + " end to end " +
             (is_share ? "p" + std::to_string(50 + below(50)) : "") +
             (is_share ? (one_in(2) ? " < " : " <= ") : comparison()) + time(30);
    }
    default: {
      std::string text = "order " + event() + " " + event();
      for (unsigned i = 0; i < 6 && one_in(2); ++i) text += " " + event();
      return text + (one_in(2) ? " per thread" : "");
    }
  }
}

std::string RandomRules::rule() { return form() + window(); }

}  // namespace barefxt::test::checking
