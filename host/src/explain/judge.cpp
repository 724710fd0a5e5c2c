// From a thread to what kept it: its CPU, or the holder of what it waits for.
#include "judge.h"

#include <algorithm>

namespace barefxt::host {

// A look at the history at one tick, and the last change among all that it saw.
struct Judge::Look {
  const Steps& steps;
  uint64_t tick;
  uint64_t top;  // the thread that is explained
  Verdict verdict = {};
  std::vector<uint64_t> visited = {};

  uint32_t find(const Track& track) {
    const uint32_t at = steps.find(track, tick);
    if (at != kNoStep) change(steps[at].time);
    return at;
  }
  const Step* step(const Track& track) {
    const uint32_t at = find(track);
    return at == kNoStep ? nullptr : &steps[at];
  }
  void change(uint64_t time) { verdict.since = std::max(verdict.since, time); }
  TickCause& cause() { return verdict.cause; }
};

Judge::Verdict Judge::at(uint64_t thread, uint64_t tick) const {
  Look look{history_.steps(), tick, thread};
  judge_thread(thread, look);
  return std::move(look.verdict);
}

void Judge::leave_open(Look& look, UnknownReason reason) const {
  const Step* const losing = look.step(history_.losses());
  TickCause& cause = look.cause();
  cause = {};
  cause.reason = losing != nullptr && losing->value > 0 ? UnknownReason::kLost : reason;
}

void Judge::judge_thread(uint64_t koid, Look& look) const {
  const History::Thread* const thread = history_.thread(koid);
  if (thread == nullptr) return leave_open(look, UnknownReason::kThread);
  const uint32_t at = look.find(thread->doing);
  if (at == kNoStep) return leave_open(look, UnknownReason::kThread);
  look.visited.push_back(koid);
  const Step& doing = look.steps[at];
  switch (static_cast<Doing>(doing.state)) {
    case Doing::kRunning: {
      if (judge_interrupt(doing.number, look)) return;
      const bool is_self = koid == look.top;
      look.cause().kind = is_self ? CauseKind::kRunning : CauseKind::kHolder;
      look.cause().cpu = doing.number;
      if (!is_self) look.cause().thread = koid;
      return;
    }
    case Doing::kRunnable:
      return judge_ready(koid, doing, look);
    case Doing::kBlocked:
      if (koid == look.top) look.verdict.is_blocked = true;
      return judge_blocked(*thread, koid, at, look);
    case Doing::kUnknown:
    case Doing::kEnded:
      break;
  }
  leave_open(look, UnknownReason::kThread);
}

Judge::InInterrupt Judge::interrupt_on(unsigned number, Look& look, const Step*& step) const {
  step = nullptr;
  if (!history_.has_interrupts()) return InInterrupt::kNo;
  const History::Cpu* const cpu = history_.cpu(number);
  if (cpu == nullptr) return InInterrupt::kMaybe;
  const uint64_t wrong_until = cpu->interrupts.wrong_until();
  if (look.tick < wrong_until) return InInterrupt::kMaybe;
  look.change(wrong_until);
  step = look.step(cpu->interrupts.track());
  if (step == nullptr) return InInterrupt::kMaybe;
  switch (static_cast<InterruptState>(step->state)) {
    case InterruptState::kNone:
      return InInterrupt::kNo;
    case InterruptState::kMaybeLate:
      return history_.has_late_interrupts() ? InInterrupt::kMaybe : InInterrupt::kNo;
    case InterruptState::kIn:
      return InInterrupt::kYes;
    case InterruptState::kUnknown:
    case InterruptState::kMaybeAny:
      break;
  }
  return InInterrupt::kMaybe;
}

bool Judge::judge_interrupt(unsigned cpu, Look& look) const {
  const Step* step = nullptr;
  const InInterrupt in = interrupt_on(cpu, look, step);
  if (in == InInterrupt::kNo) return false;
  if (in == InInterrupt::kMaybe) {
    leave_open(look, UnknownReason::kInterrupt);
    return true;
  }
  look.cause().kind = is_stall(cpu, *step) ? CauseKind::kStall : CauseKind::kInterrupt;
  look.cause().cpu = cpu;
  look.cause().label = step->number;
  return true;
}

uint64_t Judge::stall_limit(unsigned cpu, uint32_t label) const {
  const uint64_t key = uint64_t{cpu} << 32 | label;
  const auto known = stall_limits_.find(key);
  if (known != stall_limits_.end()) return known->second;
  uint64_t limit = ~uint64_t{0};
  const auto found = statistics_.interrupts.find({cpu, history_.label(label).name});
  if (found != statistics_.interrupts.end() && found->second.length.count() >= kFewestForStall) {
    constexpr uint64_t kMedian = 500;
    const uint64_t median = std::max(found->second.length.quantile(kMedian), uint64_t{1});
    if (median < limit / kStallTimes) limit = median * kStallTimes;
  }
  stall_limits_[key] = limit;
  return limit;
}

int Judge::priority_of(uint64_t koid, Look& look) const {
  const History::Thread* const thread = history_.thread(koid);
  const Step* const step = thread == nullptr ? nullptr : look.step(thread->priority);
  return step == nullptr || step->state == 0 ? -1 : static_cast<int>(step->value);
}

void Judge::judge_priorities(uint64_t runner, uint64_t waiter, Look& look) const {
  TickCause& cause = look.cause();
  cause.thread = runner;
  cause.priority = priority_of(runner, look);
  cause.over = priority_of(waiter, look);
  const bool is_known = cause.priority >= 0 && cause.over >= 0 && history_.larger_is_higher();
  cause.kind = !is_known                     ? CauseKind::kOther
               : cause.priority > cause.over ? CauseKind::kHigher
                                             : CauseKind::kLower;
  if (waiter == look.top || !history_.larger_is_higher()) return;
  const int top = priority_of(look.top, look);
  cause.is_inversion = is_known && cause.priority >= cause.over && top > cause.priority;
}

void Judge::judge_ready(uint64_t koid, const Step& ready, Look& look) const {
  const bool has_next = (ready.flags & kHasNext) != 0;
  if (!has_next && !only_cpu_) return leave_open(look, UnknownReason::kPlace);
  const unsigned number = has_next ? ready.number : only_cpu_.value();
  const History::Cpu* const cpu = history_.cpu(number);
  if (cpu == nullptr) return leave_open(look, UnknownReason::kPlace);
  if (judge_interrupt(number, look)) return;
  const Step* const runs = look.step(cpu->runs);
  if (runs == nullptr || static_cast<CpuState>(runs->state) != CpuState::kRuns ||
      runs->value == koid)
    return leave_open(look, UnknownReason::kCpu);
  look.cause().cpu = number;
  if ((runs->flags & kIsIdle) != 0) {
    look.cause().kind = CauseKind::kIdle;
    return;
  }
  if (!only_cpu_) {
    // It may have come from another CPU, which idled.
    if ((ready.flags & kHasLast) == 0) return leave_open(look, UnknownReason::kPlace);
    const auto last = static_cast<unsigned>(ready.value);
    if (last != number) {
      const History::Cpu* const left = history_.cpu(last);
      const Step* const there = left == nullptr ? nullptr : look.step(left->runs);
      if (there == nullptr || static_cast<CpuState>(there->state) != CpuState::kRuns)
        return leave_open(look, UnknownReason::kCpu);
      if ((there->flags & kIsIdle) != 0) {
        const Step* step = nullptr;
        const InInterrupt in = interrupt_on(last, look, step);
        if (in == InInterrupt::kMaybe) return leave_open(look, UnknownReason::kInterrupt);
        if (in == InInterrupt::kNo) {
          look.cause().kind = CauseKind::kMigration;
          look.cause().from_cpu = last;
          look.cause().thread = runs->value;
          return;
        }
      }
    }
  }
  judge_priorities(runs->value, koid, look);
}

void Judge::judge_blocked(const History::Thread& thread, uint64_t koid, uint32_t blocked,
                          Look& look) const {
  const uint32_t lost = look.find(history_.lock_losses());
  bool was_forgotten = false;
  // The inner wait is part of the outer one: that has the more to show.
  for (const size_t level : {1U, 0U}) {
    const uint32_t at = look.find(thread.waits[level]);
    if (at == kNoStep || static_cast<WaitState>(look.steps[at].state) == WaitState::kNone) continue;
    if (lost != kNoStep && at < lost) {
      was_forgotten = true;
      continue;
    }
    const Track& holder = history_.lock(look.steps[at].value).holder;
    const Step* const held = look.step(holder);
    const bool is_known =
        held != nullptr && static_cast<HolderState>(held->state) == HolderState::kHeld;
    if (level == 1 && !is_known) {
      const uint32_t outer = look.find(thread.waits[0]);
      if (outer != kNoStep && static_cast<WaitState>(look.steps[outer].state) != WaitState::kNone)
        continue;
    }
    return judge_lock(koid, blocked, look.steps[at], look);
  }
  // A wait may go on of which the begin is not recorded.
  const bool has_run = (look.steps[blocked].flags & kBeganSeen) != 0;
  const Step* const waited = look.step(thread.waited);
  const bool is_in_wait =
      waited != nullptr && static_cast<WaitState>(waited->state) == WaitState::kWaits;
  const uint32_t used = look.find(thread.lock_uses);
  const bool is_clear =
      lost == kNoStep || !statistics_.waits_recorded || (used != kNoStep && used > lost);
  if (was_forgotten || !has_run || is_in_wait || !is_clear)
    return leave_open(look, UnknownReason::kHolder);
  TickCause& cause = look.cause();
  if (koid == look.top) {
    cause.kind = CauseKind::kBlocked;
  } else {
    cause.kind = CauseKind::kHolderBlocked;
    cause.thread = koid;
  }
}

void Judge::judge_lock(uint64_t koid, uint32_t blocked, const Step& wait, Look& look) const {
  const History::Lock& lock = history_.lock(wait.value);
  const uint32_t object = wait.number;
  const uint32_t lost = look.find(history_.lock_losses());
  const uint32_t at = look.find(lock.holder);
  const bool is_known = at != kNoStep && (lost == kNoStep || at > lost);
  const auto state =
      is_known ? static_cast<HolderState>(look.steps[at].state) : HolderState::kUnknown;
  TickCause& cause = look.cause();
  if (state != HolderState::kHeld) {
    const std::string_view kind = kind_of_wait(history_.object(object).label);
    const bool has_holder = kind == "lock" || kind == "mutex";
    if (has_holder && state == HolderState::kUnknown)
      return leave_open(look, UnknownReason::kHolder);
    cause.is_free = state == HolderState::kFree;
    cause.object = object;
    if (koid == look.top) {
      cause.kind = CauseKind::kBlocked;
    } else {
      cause.kind = CauseKind::kHolderBlocked;
      cause.thread = koid;
    }
    return;
  }
  const Step& held = look.steps[at];
  // If the holder's release is not recorded, another may have it once this thread was woken in
  // vain.
  const uint32_t run = look.steps[blocked].before;
  const bool is_of_this_run = run != kNoStep &&
                              static_cast<Doing>(look.steps[run].state) == Doing::kRunning &&
                              look.steps[run].time <= held.time;
  if ((held.flags & kIsRecorded) == 0 && look.steps[blocked].time > held.time && !is_of_this_run)
    return leave_open(look, UnknownReason::kHolder);
  const uint64_t holder = held.value;
  if (holder == koid) return leave_open(look, UnknownReason::kHolder);
  if (look.visited.size() >= kDeepest) return leave_open(look, UnknownReason::kDeep);
  cause.locks.emplace_back(object, holder);
  if (std::find(look.visited.begin(), look.visited.end(), holder) != look.visited.end()) {
    cause.kind = CauseKind::kHolderBlocked;
    cause.thread = holder;
    cause.is_cycle = true;
    return;
  }
  judge_thread(holder, look);
}

std::string Judge::interrupt_at(unsigned number, uint64_t time) const {
  const History::Cpu* const cpu = history_.cpu(number);
  if (cpu == nullptr || time < cpu->interrupts.wrong_until()) return {};
  // The wakeup may be the interrupt's last record, or have come ahead of it in its first tick.
  for (const uint64_t tick : {time, time == 0 ? time : time - 1}) {
    const uint32_t at = history_.steps().find(cpu->interrupts.track(), tick);
    if (at == kNoStep) continue;
    const Step& step = history_.steps()[at];
    if (static_cast<InterruptState>(step.state) == InterruptState::kIn)
      return history_.label(step.number).name;
  }
  return {};
}

Judge::WakerOf Judge::waker_of(const Step& wakeup) const {
  const auto cpu =
      (wakeup.flags & kHasCpu) != 0 ? std::optional<unsigned>(wakeup.number) : std::nullopt;
  switch (static_cast<Waker>(wakeup.state)) {
    case Waker::kInterrupt:
      return {true, std::nullopt, history_.label(static_cast<uint32_t>(wakeup.value)).name};
    case Waker::kThread: {
      const auto of_cpu = cpu_of_name(statistics_.name_of(wakeup.value));
      if (of_cpu) return {true, std::nullopt, interrupt_at(*of_cpu, wakeup.time)};
      return {false, wakeup.value, {}};
    }
    case Waker::kOpen:
      return {true, std::nullopt, cpu ? interrupt_at(*cpu, wakeup.time) : std::string()};
    case Waker::kRunning:
      break;
  }
  if (!cpu || !history_.has_interrupts()) return {};
  const History::Cpu* const there = history_.cpu(*cpu);
  if (there == nullptr) return {};
  Look look{history_.steps(), wakeup.time, 0};
  const Step* in = nullptr;
  const InInterrupt interrupt = interrupt_on(*cpu, look, in);
  const Step* const runs = look.step(there->runs);
  // Several records at one tick: which came first is not kept.
  const bool is_sure = runs != nullptr && in != nullptr && look.verdict.since < wakeup.time;
  if (interrupt == InInterrupt::kMaybe || !is_sure) return {};
  if (interrupt == InInterrupt::kYes) return {true, std::nullopt, history_.label(in->number).name};
  if (static_cast<CpuState>(runs->state) != CpuState::kRuns) return {};
  return {false, runs->value, {}};
}

Cause Judge::named(const TickCause& from) const {
  const auto some = [](uint64_t number) -> std::optional<unsigned> {
    if (number == TickCause::kNone) return std::nullopt;
    return static_cast<unsigned>(number);
  };
  Cause cause;
  cause.kind = from.kind;
  cause.reason = from.reason;
  cause.cpu = some(from.cpu);
  cause.from_cpu = some(from.from_cpu);
  if (from.thread != TickCause::kNone) cause.thread = from.thread;
  if (from.priority >= 0) cause.priority = static_cast<unsigned>(from.priority);
  if (from.over >= 0) cause.over = static_cast<unsigned>(from.over);
  if (from.label != TickCause::kNone)
    cause.interrupt = history_.label(static_cast<uint32_t>(from.label)).name;
  for (const auto& [object, holder] : from.locks)
    cause.locks.push_back({history_.object(static_cast<uint32_t>(object)), holder});
  if (from.object != TickCause::kNone)
    cause.object = history_.object(static_cast<uint32_t>(from.object));
  cause.is_free = from.is_free;
  cause.is_inversion = from.is_inversion;
  cause.is_cycle = from.is_cycle;
  return cause;
}

}  // namespace barefxt::host
