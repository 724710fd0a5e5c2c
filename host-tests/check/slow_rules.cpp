#include "slow_rules.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace barefxt::test::checking {
namespace {

using host::matches;
using host::RuleEventKind;
using host::RuleForm;
using host::RuleStateKind;
using host::TraceRule;

std::string name(unsigned number) { return "n" + std::to_string(number); }
bool is_irq(uint64_t thread) { return thread >= kFirstCpu; }
RuleEventKind end_of(uint64_t thread) {
  return is_irq(thread) ? RuleEventKind::kIrqEnds : RuleEventKind::kSliceEnds;
}
// A tick is a nanosecond.
uint64_t ticks(const host::TimeBound& time) { return static_cast<uint64_t>(time.value); }

bool compares(double value, host::BudgetLine::Bound bound, double limit) {
  using Bound = host::BudgetLine::Bound;
  return bound == Bound::kAtMost    ? value <= limit
         : bound == Bound::kLess    ? value < limit
         : bound == Bound::kAtLeast ? value >= limit
         : bound == Bound::kMore    ? value > limit
                                    : value == limit;
}

}  // namespace

SlowRules::SlowRules(const RuleTrace& trace) : records_(trace.records()) {
  first_ = records_.front().time;
  last_ = records_.back().time;
  for (size_t i = 0; i < records_.size(); ++i) {
    const Rec& one = records_[i];
    const auto add = [&](RuleEventKind kind, int part = 0) {
      events_.push_back({{one.time, i, part}, kind, one.thread, one.number});
    };
    switch (one.kind) {
      case Rec::kSwitch:
        add(RuleEventKind::kStops);
        events_.push_back({{one.time, i, 1}, RuleEventKind::kRuns, one.other, 0});
        break;
      case Rec::kWakeup:
        add(RuleEventKind::kWakes);
        break;
      case Rec::kInstant:
        add(RuleEventKind::kNamed);
        break;
      case Rec::kFlowBegin:
        add(RuleEventKind::kFlowBegins);
        break;
      case Rec::kFlowEnd:
        add(RuleEventKind::kFlowEnds);
        break;
      case Rec::kHold:
        add(RuleEventKind::kTaken);
        break;
      case Rec::kRelease:
        add(RuleEventKind::kReleased);
        break;
      case Rec::kLoss:
        // Something is lost between two records of one tick, too.
        losses_.push_back({one.other == one.time ? one.other - 1 : one.other, one.time, one.cpu});
        break;
      default:
        break;
    }
  }
  find_durations();
  std::ranges::sort(events_, {}, &Event::at);
}

void SlowRules::find_durations() {
  std::map<uint64_t, std::vector<Duration>> open;
  const auto is_doubtful = [&](const Duration& one) {
    return std::ranges::any_of(losses_, [&](const Loss& loss) {
      const bool is_here = !is_irq(one.thread) || loss.cpu == one.thread - kFirstCpu;
      return is_here && loss.begin < one.end.time && loss.end > one.begin.time;
    });
  };
  for (size_t i = 0; i < records_.size(); ++i) {
    const Rec& one = records_[i];
    std::vector<Duration>& stack = open[one.thread];
    if (one.kind == Rec::kBegin)
      stack.push_back({{one.time, i, 0}, {}, one.thread, one.number, false, false, false});
    if (one.kind == Rec::kComplete)
      durations_.push_back(
          {{one.other, i, 0}, {one.time, i, 1}, one.thread, one.number, false, false, false});
    if (one.kind != Rec::kEnd) continue;
    const auto found = std::find_if(stack.rbegin(), stack.rend(), [&](const Duration& begun) {
      return begun.number == one.number;
    });
    if (found == stack.rend()) {
      // Its begin may be lost.
      const bool is_after_loss =
          std::ranges::any_of(losses_, [&](const Loss& loss) { return loss.begin < one.time; });
      if (!is_after_loss) continue;
      doubtful_.push_back({{one.time, i, 0}, end_of(one.thread), one.thread, one.number});
      unbegun_.push_back({one.time - 1, one.time + 1, kCpus});
      for (Duration& begun : stack) begun.is_in_doubt = true;
      continue;
    }
    for (bool is_it = false; !is_it;) {
      Duration ended = stack.back();
      stack.pop_back();
      is_it = ended.number == one.number;
      ended.end = {one.time, i, is_it ? 1 : 0};
      ended.is_missing = !is_it;
      ended.is_in_doubt = is_it && (ended.is_in_doubt || is_doubtful(ended));
      durations_.push_back(ended);
    }
  }
  for (auto& [thread, stack] : open) {
    for (Duration& one : stack) {
      one.end = {last_, records_.size(), 1};
      one.is_open = true;
      one.is_in_doubt = !losses_.empty();
      durations_.push_back(one);
    }
  }
  for (const Duration& one : durations_) {
    events_.push_back({one.begin,
                       is_irq(one.thread) ? RuleEventKind::kIrqBegins : RuleEventKind::kSliceBegins,
                       one.thread, one.number});
    if (!one.is_missing && !one.is_open)
      (one.is_in_doubt ? doubtful_ : events_)
          .push_back({one.end, end_of(one.thread), one.thread, one.number});
  }
}

bool SlowRules::has_loss(uint64_t begin, uint64_t end) const {
  return std::ranges::any_of(
      hidden_, [&](const Loss& loss) { return loss.begin < end && loss.end > begin; });
}
bool SlowRules::has_loss_until(uint64_t begin, uint64_t deadline) const {
  return std::ranges::any_of(
      hidden_, [&](const Loss& loss) { return loss.begin <= deadline && loss.end > begin; });
}
bool SlowRules::is_losing(uint64_t time) const { return has_loss(time, time); }

std::vector<SlowRules::Event> SlowRules::events(const host::RuleEvent& what) const {
  std::vector<Event> found;
  for (const Event& one : events_) {
    const bool is_begin =
        one.kind == RuleEventKind::kSliceBegins || one.kind == RuleEventKind::kIrqBegins;
    const bool is_end =
        one.kind == RuleEventKind::kSliceEnds || one.kind == RuleEventKind::kIrqEnds;
    bool is_it = false;
    switch (what.kind) {
      case RuleEventKind::kNamed:
        is_it =
            (one.kind == RuleEventKind::kNamed || is_begin) && matches(what.name, name(one.number));
        break;
      case RuleEventKind::kSliceBegins:
        is_it = is_begin && matches(what.name, name(one.number));
        break;
      case RuleEventKind::kSliceEnds:
        is_it = is_end && matches(what.name, name(one.number));
        break;
      case RuleEventKind::kIrqBegins:
      case RuleEventKind::kIrqEnds:
      case RuleEventKind::kFlowBegins:
      case RuleEventKind::kFlowEnds:
        is_it = one.kind == what.kind && matches(what.name, name(one.number));
        break;
      case RuleEventKind::kRuns:
      case RuleEventKind::kStops:
      case RuleEventKind::kWakes:
        is_it = one.kind == what.kind && matches(what.name, thread_name(one.thread));
        break;
      case RuleEventKind::kTaken:
      case RuleEventKind::kReleased:
        is_it = one.kind == what.kind && matches(what.name, "l" + std::to_string(one.number)) &&
                (what.by.empty() || matches(what.by, thread_name(one.thread)));
        break;
    }
    if (is_it) found.push_back(one);
  }
  return found;
}

SlowRules::Value SlowRules::runs(const std::string& pattern, uint64_t tick) const {
  bool is_certain = true;
  for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
    const auto loses = [&](uint64_t from, uint64_t to) {  // a loss begins in [from, to]
      return std::ranges::any_of(losses_, [&](const Loss& loss) {
        return loss.cpu == cpu && loss.begin >= from && loss.begin <= to;
      });
    };
    const auto is_within_loss = [&](uint64_t time) {
      return std::ranges::any_of(losses_, [&](const Loss& loss) {
        return loss.cpu == cpu && loss.begin < time && time < loss.end;
      });
    };
    uint64_t since = 0;
    uint64_t thread = 0;
    bool is_known = false;
    bool has_switch = false;
    for (const Rec& one : records_) {
      if (one.kind != Rec::kSwitch || one.cpu != cpu) continue;
      if (!has_switch) thread = one.thread;
      is_known = is_known || (!has_switch && !loses(0, one.time - 1));
      has_switch = true;
      if (one.time > tick) break;
      if (is_within_loss(one.time)) {
        is_known = false;
        continue;
      }
      thread = one.other;
      is_known = true;
      since = one.time;
    }
    if (!has_switch) {
      if (std::ranges::any_of(losses_, [&](const Loss& loss) { return loss.cpu == cpu; }))
        is_certain = false;
      continue;
    }
    if (loses(since, tick)) is_known = false;
    if (!is_known)
      is_certain = false;
    else if (matches(pattern, thread_name(thread)))
      return Value::kYes;
  }
  return is_certain ? Value::kNo : Value::kUnknown;
}

SlowRules::Value SlowRules::lasts(const host::RuleState& what, uint64_t tick) const {
  uint64_t since = 0;
  bool was_lost = false;
  std::vector<Loss> losses = losses_;
  if (what.kind != RuleStateKind::kHeld)
    losses.insert(losses.end(), unbegun_.begin(), unbegun_.end());
  for (const Loss& loss : losses) {
    if (loss.begin > tick) continue;
    if (tick < loss.end) return Value::kUnknown;
    since = std::max(since, loss.end);
    was_lost = true;
  }
  const auto counts = [&](uint64_t time) { return time >= since && time <= tick; };
  bool is_seen = false;
  bool is_there = false;
  if (what.kind == RuleStateKind::kHeld) {
    std::map<unsigned, bool> held;
    for (const Rec& one : records_) {
      if (one.kind != Rec::kHold && one.kind != Rec::kRelease) continue;
      if (!matches(what.name, "l" + std::to_string(one.number)) || !counts(one.time)) continue;
      is_seen = true;
      held[one.number] =
          one.kind == Rec::kHold && (what.by.empty() || matches(what.by, thread_name(one.thread)));
    }
    for (const auto& [lock, is_held] : held) is_there = is_there || is_held;
  } else {
    for (const Duration& one : durations_) {
      if (!matches(what.name, name(one.number))) continue;
      if (what.kind == RuleStateKind::kIrq && !is_irq(one.thread)) continue;
      const bool begins = counts(one.begin.time);
      const bool ends = !one.is_open && counts(one.end.time);
      is_seen = is_seen || begins || ends;
      is_there = is_there || (begins && !ends);
    }
  }
  if (is_there) return Value::kYes;
  return was_lost ? Value::kUnknown : is_seen ? Value::kNo : Value::kUnseen;
}

SlowRules::Value SlowRules::state(const host::RuleState& what, uint64_t tick) const {
  return what.kind == RuleStateKind::kRuns ? runs(what.name, tick) : lasts(what, tick);
}

// The window as it changes: an event that opens or closes it, a loss that begins or ends.
struct SlowRules::Windows {
  struct Step {
    uint64_t time;
    int rank;
    size_t index;
    int part;
    int what;  // 0: closes, 1: opens, 2: a loss begins, 3: one ends
    auto operator<=>(const Step&) const = default;
  };
  std::vector<Step> steps;
  uint64_t from = 0;
  uint64_t end = ~uint64_t{0};
  bool opens = false;
  bool closes = false;

  In begin() const { return opens ? In::kNo : In::kYes; }
  // `open` after the step, with `losing` losses.
  void apply(const Step& step, In& open, int& losing) const {
    if (step.what == 2) {
      ++losing;
      if (step.time < end && (open == In::kNo ? opens : closes)) open = In::kMaybe;
    } else if (step.what == 3) {
      --losing;
    } else if (step.time >= from && step.what == 1 && open != In::kYes) {
      open = losing > 0 && closes ? In::kMaybe : In::kYes;
    } else if (step.time >= from && step.what == 0 && open != In::kNo) {
      open = losing > 0 && opens ? In::kMaybe : In::kNo;
    }
  }
  static Windows of(const SlowRules& trace, const TraceRule& rule) {
    Windows all;
    const auto add = [&](const std::optional<host::RuleEdge>& edge, int what) {
      if (!edge || !edge->event) return false;
      for (const Event& one : trace.events(*edge->event))
        all.steps.push_back({one.at.time, 1, one.at.index, one.at.part, what});
      return true;
    };
    all.opens = add(rule.from, 1);
    all.closes = add(rule.to, 0);
    if (rule.from && !all.opens) all.from = ticks(rule.from->time);
    if (rule.to && !all.closes) all.end = ticks(rule.to->time);
    for (const Loss& loss : trace.hidden_) {
      all.steps.push_back({loss.begin, 2, 0, 0, 2});
      all.steps.push_back({loss.end, 0, 0, 0, 3});
    }
    std::ranges::sort(all.steps);
    return all;
  }
};

SlowRules::In SlowRules::window(const TraceRule& rule, const At& at) const {
  const Windows windows = Windows::of(*this, rule);
  if (at.time < windows.from || at.time >= windows.end) return In::kNo;
  In open = windows.begin();
  int losing = 0;
  const int rank = at.index == kTickEnd ? 3 : 1;
  for (const Windows::Step& step : windows.steps) {
    if (std::tuple(step.time, step.rank, step.index, step.part) >
        std::tuple(at.time, rank, at.index, at.part))
      break;
    windows.apply(step, open, losing);
  }
  return open;
}

bool SlowRules::hides(const TraceRule& rule) const {
  const Windows windows = Windows::of(*this, rule);
  // A length counts at its end, and its begin may be lost ahead of the window.
  const bool looks_back =
      rule.form == RuleForm::kLasts || rule.form == RuleForm::kFlow || rule.done_within;
  In open = windows.begin();
  int losing = 0;
  uint64_t begin = 0;
  bool was_open = false;
  for (const Windows::Step& step : windows.steps) {
    if (step.what == 2 && losing == 0) {
      begin = step.time;
      was_open = open != In::kNo;
    }
    windows.apply(step, open, losing);
    was_open = was_open || open != In::kNo;
    if (step.what != 3 || losing > 0 || begin >= windows.end) continue;
    if (looks_back || (was_open && step.time >= windows.from)) return true;
  }
  return false;
}

bool SlowRules::has_kind(const TraceRule& rule) const {
  const auto has = [&](Rec::Kind kind) {
    return std::ranges::any_of(records_, [&](const Rec& one) { return one.kind == kind; });
  };
  bool all = true;
  for (const host::RuleEvent& event : rule.events) {
    if (event.kind == RuleEventKind::kRuns || event.kind == RuleEventKind::kStops)
      all = all && has(Rec::kSwitch);
    if (event.kind == RuleEventKind::kWakes) all = all && has(Rec::kWakeup);
    if (event.kind == RuleEventKind::kTaken || event.kind == RuleEventKind::kReleased)
      all = all && has(Rec::kHold);
  }
  for (const auto* const one : {&rule.state, &rule.during}) {
    if (*one && (*one)->kind == RuleStateKind::kRuns) all = all && has(Rec::kSwitch);
    if (*one && (*one)->kind == RuleStateKind::kHeld) all = all && has(Rec::kHold);
  }
  return all;
}

SlowVerdict SlowRules::verdict(const TraceRule& rule) const {
  SlowRules of_rule = *this;
  of_rule.hide_doubtful_ends(rule);
  return of_rule.judge(rule);
}

void SlowRules::hide_doubtful_ends(const TraceRule& rule) {
  hidden_ = losses_;
  const auto hide = [&](const host::RuleEvent& what) {
    const bool is_end =
        what.kind == RuleEventKind::kSliceEnds || what.kind == RuleEventKind::kIrqEnds;
    for (const Event& one : doubtful_) {
      const bool is_kind = what.kind == RuleEventKind::kSliceEnds || is_irq(one.thread);
      if (is_end && is_kind && matches(what.name, name(one.number)))
        hidden_.push_back({one.at.time - 1, one.at.time + 1, kCpus});
    }
  };
  for (const host::RuleEvent& event : rule.events) hide(event);
  for (const auto* const edge : {&rule.from, &rule.to})
    if (*edge && (*edge)->event) hide(*(*edge)->event);
}

SlowVerdict SlowRules::judge(const TraceRule& rule) const {
  SlowVerdict verdict;
  switch (rule.form) {
    case RuleForm::kAfter:
      after(rule, verdict);
      break;
    case RuleForm::kNever:
      rule.state ? never_state(rule, verdict) : never(rule, verdict);
      break;
    case RuleForm::kEvery:
      every(rule, verdict);
      break;
    case RuleForm::kLasts:
      lengths(rule, verdict);
      break;
    case RuleForm::kBetween:
      between(rule, verdict);
      break;
    case RuleForm::kCounter:
    case RuleForm::kStack:
      counter(rule, verdict);
      break;
    case RuleForm::kFlow:
      flow(rule, verdict);
      break;
    case RuleForm::kOrder:
      order(rule, verdict);
      break;
    case RuleForm::kBudget:
      break;
  }
  const bool is_about_nothing =
      verdict.kept + verdict.violated + verdict.unknown == 0 && rule.form != RuleForm::kNever;
  if (verdict.violated > 0)
    verdict.outcome = host::RuleOutcome::kViolated;
  else if (hides(rule) || verdict.unknown > 0 || is_about_nothing || !has_kind(rule))
    verdict.outcome = host::RuleOutcome::kUnknown;
  return verdict;
}

void SlowRules::after(const TraceRule& rule, SlowVerdict& verdict) const {
  for (const Event& trigger : events(rule.events[0])) {
    const In in = window(rule, trigger.at);
    if (in != In::kNo) respond(rule, 0, trigger.at, in, verdict);
  }
}

void SlowRules::respond(const TraceRule& rule, size_t stage, const At& at, In in,
                        SlowVerdict& verdict) const {
  if (stage == rule.within.size()) {
    ++verdict.kept;
    return;
  }
  const host::RuleEvent& response = rule.events[stage + 1];
  const uint64_t deadline = at.time + ticks(rule.within[stage]);
  const Value runs_now = response.kind == RuleEventKind::kRuns && at.time < last_
                             ? runs(response.name, at.time)
                             : Value::kNo;
  for (const Event& one : events(response)) {
    if (one.at <= at || one.at.time > deadline) continue;
    const bool is_later = one.at.time > at.time;
    if (is_later && runs_now == Value::kYes) break;
    const bool is_sure =
        !has_loss(at.time, one.at.time) && !(is_later && runs_now == Value::kUnknown);
    return respond(rule, stage + 1, one.at, is_sure ? in : In::kMaybe, verdict);
  }
  if (runs_now == Value::kYes)
    return respond(rule, stage + 1, {at.time, kTickEnd, 0}, is_losing(at.time) ? In::kMaybe : in,
                   verdict);
  const bool has_next = stage + 1 < rule.within.size();
  if (deadline >= last_)
    ++(has_next && (has_loss_until(at.time, last_) || runs_now == Value::kUnknown)
           ? verdict.unknown
           : verdict.left_out);
  else if (has_loss_until(at.time, deadline) || runs_now == Value::kUnknown)
    ++verdict.unknown;
  else
    violate(in, verdict);
}

void SlowRules::never(const TraceRule& rule, SlowVerdict& verdict) const {
  for (const Event& one : events(rule.events[0])) {
    const In in = window(rule, one.at);
    if (in == In::kNo) continue;
    if (!rule.during) {
      violate(in, verdict);
      continue;
    }
    if (one.at.time >= last_) {
      ++verdict.left_out;
      continue;
    }
    const Value during = state(*rule.during, one.at.time);
    if (during == Value::kYes) violate(in, verdict);
    if (during == Value::kNo) ++verdict.kept;
    if (during == Value::kUnknown) ++verdict.unknown;
    if (during == Value::kUnseen) ++verdict.left_out;
  }
}

void SlowRules::never_state(const TraceRule& rule, SlowVerdict& verdict) const {
  enum class Is : uint8_t { kNothing, kKept, kUnseen, kUnknown, kViolated };
  Is was = Is::kNothing;
  for (uint64_t tick = first_; tick < last_; ++tick) {
    const In in = window(rule, {tick, kTickEnd, 0});
    Is is = Is::kNothing;
    const Value what = state(*rule.state, tick);
    if (in != In::kNo && (what == Value::kYes || what == Value::kUnknown)) {
      const Value during = rule.during ? state(*rule.during, tick) : Value::kYes;
      const bool is_sure = what == Value::kYes && in == In::kYes;
      if (during == Value::kNo && what == Value::kYes) is = Is::kKept;
      if (during == Value::kUnseen) is = Is::kUnseen;
      if (during == Value::kUnknown) is = Is::kUnknown;
      if (during == Value::kYes) is = is_sure ? Is::kViolated : Is::kUnknown;
    }
    if (is != was) {
      if (is == Is::kViolated) ++verdict.violated;
      if (is == Is::kUnknown) ++verdict.unknown;
      if (is == Is::kKept && was == Is::kNothing) ++verdict.kept;
      if (is == Is::kUnseen && was == Is::kNothing) ++verdict.left_out;
    }
    was = is;
  }
}

void SlowRules::every(const TraceRule& rule, SlowVerdict& verdict) const {
  if (rule.done_within) done(rule, verdict);
  if (rule.offset) return on_grid(rule, verdict);
  std::vector<Event> all;
  for (const Event& one : events(rule.events[0]))
    if (window(rule, one.at) != In::kNo) all.push_back(one);
  const uint64_t least = ticks(rule.period) - ticks(rule.jitter);
  const uint64_t most = ticks(rule.period) + ticks(rule.jitter);
  const Windows windows = Windows::of(*this, rule);
  for (size_t i = 0; i < all.size(); ++i) {
    const At at = all[i].at;
    const In in = window(rule, at);
    const uint64_t deadline = at.time + most;
    const bool has_next = i + 1 < all.size() && all[i + 1].at.time <= deadline;
    bool is_cut = false;
    In open = windows.begin();
    int losing = 0;
    for (const Windows::Step& step : windows.steps) {
      const bool was_open = open != In::kNo;
      windows.apply(step, open, losing);
      const At closes{step.time, step.index, step.part};
      is_cut = is_cut || (step.what == 0 && step.time >= windows.from && was_open && closes > at &&
                          closes.time <= deadline && (!has_next || closes <= all[i + 1].at));
    }
    if (is_cut) {
      ++verdict.left_out;
    } else if (has_next) {
      const uint64_t next = all[i + 1].at.time;
      const bool may_be_cut = rule.to && rule.to->event && has_loss(at.time, next);
      if (next - at.time < least)
        violate(may_be_cut ? In::kMaybe : in, verdict);
      else
        ++(has_loss(at.time, next) ? verdict.unknown : verdict.kept);
    } else if (deadline >= last_ ||
               (rule.to && !rule.to->event && deadline >= ticks(rule.to->time))) {
      ++verdict.left_out;
    } else if (has_loss_until(at.time, deadline)) {
      ++verdict.unknown;
    } else {
      violate(in, verdict);
    }
  }
}

// Around each time offset + n x period that lies in the trace and in the window with its jitter,
// one event. One that is near none of these times, or the second near one, violates by itself.
void SlowRules::on_grid(const TraceRule& rule, SlowVerdict& verdict) const {
  const int64_t period = static_cast<int64_t>(ticks(rule.period));
  const int64_t jitter = static_cast<int64_t>(ticks(rule.jitter));
  const int64_t offset = static_cast<int64_t>(ticks(*rule.offset));
  const auto last = static_cast<int64_t>(last_);
  const bool has_from = rule.from && !rule.from->event;
  const bool has_to = rule.to && !rule.to->event;
  const int64_t begin =
      static_cast<int64_t>(has_from ? std::max(first_, ticks(rule.from->time)) : first_);
  const int64_t end = has_to ? static_cast<int64_t>(ticks(rule.to->time)) : last + period;
  std::vector<Event> all;
  for (const Event& one : events(rule.events[0]))
    if (window(rule, one.at) != In::kNo) all.push_back(one);
  const auto is_near = [&](const Event& one, int64_t time) {
    return std::abs(static_cast<int64_t>(one.at.time) - time) <= jitter;
  };
  std::set<size_t> near_one;  // of all
  for (int64_t time = offset; time - jitter <= last; time += period) {
    In seen = In::kNo;
    for (size_t i = 0; i < all.size(); ++i) {
      if (!is_near(all[i], time)) continue;
      near_one.insert(i);
      // The trace's begin cuts it: any number of its events is right.
      if (time - jitter < begin) continue;
      const In in = window(rule, all[i].at);
      if (seen != In::kNo) violate(seen == In::kMaybe ? In::kMaybe : in, verdict);
      if (seen != In::kYes) seen = in;
    }
    if (time - jitter < begin || time + jitter >= end) continue;
    if (time + jitter >= last) {
      ++verdict.left_out;
      continue;
    }
    const auto due = static_cast<uint64_t>(time + jitter);
    const In in = window(rule, {due, kTickEnd, 0});
    if (in == In::kNo) continue;
    if (has_loss_until(static_cast<uint64_t>(time - jitter - 1), due))
      ++verdict.unknown;
    else if (seen == In::kYes)
      ++verdict.kept;
    else
      violate(seen == In::kMaybe ? In::kMaybe : in, verdict);
  }
  for (size_t i = 0; i < all.size(); ++i)
    if (!near_one.contains(i)) violate(window(rule, all[i].at), verdict);
}

// Each one's end comes in time, from its begin or from the time of the grid nearest to it.
void SlowRules::done(const TraceRule& rule, SlowVerdict& verdict) const {
  for (const Duration& one : durations_) {
    if (!is_of(rule.events[0], one)) continue;
    const In in = window(rule, one.end);
    if (in == In::kNo) continue;
    uint64_t start = one.begin.time;
    if (rule.offset) {
      const uint64_t period = ticks(rule.period);
      for (start = ticks(*rule.offset); start + period - period / 2 <= one.begin.time;)
        start += period;
    }
    const bool is_late = one.end.time > start + ticks(*rule.done_within);
    if (one.is_missing)
      ++verdict.left_out;
    else if (one.is_in_doubt)
      ++verdict.unknown;
    else if (is_late)
      violate(in, verdict);
    else
      ++(one.is_open ? verdict.left_out : verdict.kept);
  }
}

bool SlowRules::is_of(const host::RuleEvent& what, const Duration& one) {
  return matches(what.name, name(one.number)) &&
         (what.kind != RuleEventKind::kIrqBegins || is_irq(one.thread));
}

void SlowRules::lengths(const TraceRule& rule, SlowVerdict& verdict) const {
  using Bound = host::BudgetLine::Bound;
  for (const Duration& one : durations_) {
    if (!is_of(rule.events[0], one)) continue;
    const In in = window(rule, one.end);
    if (in == In::kNo) continue;
    const bool is_kept =
        compares(static_cast<double>(one.end.time - one.begin.time), rule.bound, rule.length.value);
    const bool is_upper = rule.bound == Bound::kLess || rule.bound == Bound::kAtMost;
    if (one.is_missing)
      ++verdict.left_out;
    else if (one.is_in_doubt)
      ++verdict.unknown;
    else if (one.is_open && (is_kept || !is_upper))
      ++verdict.left_out;
    else if (is_kept)
      ++verdict.kept;
    else
      violate(in, verdict);
  }
}

void SlowRules::between(const TraceRule& rule, SlowVerdict& verdict) const {
  const std::vector<Event> begins = events(rule.events[0]);
  const std::vector<Event> ends = events(rule.events[1]);
  for (size_t i = 0; i < begins.size(); ++i) {
    const At begin = begins[i].at;
    const In in = window(rule, begin);
    if (in == In::kNo) continue;
    const auto end = std::ranges::find_if(ends, [&](const Event& one) { return one.at > begin; });
    const bool has_next = i + 1 < begins.size();
    if (end == ends.end() || (has_next && begins[i + 1].at < end->at)) {
      const bool is_lossy = has_loss(begin.time, has_next ? begins[i + 1].at.time : last_);
      ++(is_lossy ? verdict.unknown : verdict.left_out);
      continue;
    }
    uint64_t count = 0;
    for (const Event& one : events(rule.events[2])) count += one.at > begin && one.at < end->at;
    if (has_loss(begin.time, end->at.time))
      ++verdict.unknown;
    else if (compares(static_cast<double>(count), rule.bound, static_cast<double>(rule.count)))
      ++verdict.kept;
    else
      violate(in, verdict);
  }
}

void SlowRules::counter(const TraceRule& rule, SlowVerdict& verdict) const {
  for (size_t i = 0; i < records_.size(); ++i) {
    const Rec& one = records_[i];
    const bool is_of_counter =
        rule.form == RuleForm::kCounter &&
        ((one.kind == Rec::kCounter && matches(rule.counter, name(one.number))) ||
         (one.kind == Rec::kStack && matches(rule.counter, "stack")));
    const bool is_of_stack = rule.form == RuleForm::kStack && one.kind == Rec::kStack &&
                             matches(rule.counter, thread_name(one.other));
    if (!is_of_counter && !is_of_stack) continue;
    const In in = window(rule, {one.time, i, 0});
    if (in == In::kNo) continue;
    if (compares(static_cast<double>(one.value), rule.bound, rule.value))
      ++verdict.kept;
    else
      violate(in, verdict);
  }
}

void SlowRules::flow(const TraceRule& rule, SlowVerdict& verdict) const {
  std::vector<uint64_t> all;
  for (size_t i = 0; i < records_.size(); ++i) {
    const Rec& end = records_[i];
    if (end.kind != Rec::kFlowEnd) continue;
    const auto begin = std::ranges::find_if(records_, [&](const Rec& one) {
      return one.kind == Rec::kFlowBegin && one.other == end.other;
    });
    if (begin == records_.end() || begin - records_.begin() > static_cast<ptrdiff_t>(i)) continue;
    if (!matches(rule.flow, name(begin->number))) continue;
    const In in = window(rule, {end.time, i, 1});
    if (in == In::kNo) continue;
    const uint64_t length = end.time - begin->time;
    const bool is_kept = compares(static_cast<double>(length), rule.bound, rule.length.value);
    const bool is_doubtful = std::ranges::any_of(
        losses_, [&](const Loss& loss) { return loss.begin < end.time && loss.end > begin->time; });
    if (is_doubtful)
      ++verdict.unknown;
    else if (rule.percentile < 100 && in == In::kMaybe)
      ++verdict.unknown;
    else if (rule.percentile < 100)
      all.push_back(length);
    else if (is_kept)
      ++verdict.kept;
    else
      violate(in, verdict);
  }
  if (all.empty()) return;
  std::ranges::sort(all);
  const double rank = std::ceil(rule.percentile * static_cast<double>(all.size()) / 100 - 1e-9);
  const uint64_t length = all[static_cast<size_t>(rank) - 1];
  if (verdict.unknown > 0 || hides(rule))
    ++verdict.unknown;
  else if (compares(static_cast<double>(length), rule.bound, rule.length.value))
    ++verdict.kept;
  else
    ++verdict.violated;
}

void SlowRules::order(const TraceRule& rule, SlowVerdict& verdict) const {
  struct Step {
    At at;
    size_t number;
    uint64_t thread;
  };
  std::vector<Step> steps;
  for (size_t number = 0; number < rule.events.size(); ++number)
    for (const Event& one : events(rule.events[number]))
      steps.push_back({one.at, number, rule.per_thread ? one.thread : 0});
  std::ranges::stable_sort(steps, {},
                           [](const Step& one) { return std::tuple(one.at, one.number); });
  const Windows windows = Windows::of(*this, rule);
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const In in = window(rule, step.at);
    if (in == In::kNo) continue;
    if (is_losing(step.at.time)) {
      ++verdict.unknown;
      continue;
    }
    // The round begins anew where the window opens and where records were lost.
    At since{0, 0, 0};
    bool is_since_loss = false;
    for (const Loss& loss : hidden_) {
      if (loss.begin >= step.at.time) continue;
      is_since_loss = true;
      since = std::max(since, At{loss.end, 0, 0});
    }
    In open = windows.begin();
    int losing = 0;
    for (const Windows::Step& change : windows.steps) {
      if (std::tuple(change.time, change.rank, change.index, change.part) >
          std::tuple(step.at.time, 1, step.at.index, step.at.part))
        break;
      const In before = open;
      windows.apply(change, open, losing);
      const bool is_event = change.what < 2;
      if (!is_event || open == before || open == In::kNo) continue;
      if (change.time < windows.from || change.time >= windows.end) continue;
      const At at{change.time, change.index, change.part};
      if (at < since && open != In::kMaybe) continue;
      since = std::max(since, at);
      is_since_loss = open == In::kMaybe;
    }
    const Step* previous = nullptr;
    for (size_t j = 0; j < i; ++j) {
      if (steps[j].thread == step.thread && steps[j].at >= since &&
          window(rule, steps[j].at) != In::kNo && !is_losing(steps[j].at.time))
        previous = &steps[j];
    }
    const size_t last = rule.events.size() - 1;
    if (previous == nullptr) {
      if (is_since_loss)
        ++verdict.unknown;
      else
        ++(step.number == 0 ? verdict.kept : verdict.left_out);
      continue;
    }
    const bool begins = previous->number == last;
    const bool follows = begins ? step.number == 0 : step.number == previous->number + 1;
    const bool repeats = !begins && step.number == previous->number && step.number > 0;
    if (follows || repeats)
      ++verdict.kept;
    else
      violate(in, verdict);
  }
}

}  // namespace barefxt::test::checking
