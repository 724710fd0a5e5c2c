// The transitions of CPUs and threads.
#include "scheduling.h"

#include <algorithm>
#include <utility>

#include <barefxt/fxt/scheduling.h>

#include "../archive/archive_provider.h"

namespace barefxt::host {
namespace {

SwitchCause cause_of(const Moment& moment) {
  switch (static_cast<fxt::ThreadState>(moment.state)) {
    case fxt::ThreadState::kNew:
    case fxt::ThreadState::kRunning:
      return moment.has_priorities && moment.incoming_priority <= moment.outgoing_priority
                 ? SwitchCause::kYielded
                 : SwitchCause::kPreempted;
    case fxt::ThreadState::kSuspended:
    case fxt::ThreadState::kBlocked:
      return SwitchCause::kBlocked;
    case fxt::ThreadState::kDying:
    case fxt::ThreadState::kDead:
      return SwitchCause::kEnded;
  }
  return SwitchCause::kOther;
}

}  // namespace

Scheduling::Number Scheduling::number_of(uint64_t koid) {
  const Number number = index_.number_of(koid);
  if (number == threads_.size()) {
    Thread& thread = threads_.emplace_back();
    thread.idle = statistics_.is_idle(koid);
    thread.may_be_idle = is_unknown_thread(koid);
  }
  return number;
}

Scheduling::Cpu* Scheduling::cpu_of(uint32_t number) {
  if (number >= kMaxCpus) return nullptr;
  if (number >= cpus_.size()) cpus_.resize(number + 1);
  settle(cpus_[number]);
  return &cpus_[number];
}

Scheduling::Number Scheduling::current(unsigned cpu) const {
  return cpu < cpus_.size() ? cpus_[cpu].running : kNobody;
}

void Scheduling::credit(Thread& thread, ThreadTime what, uint64_t now, ThreadTime seemed) {
  if (thread.moves) end_move(thread, false);
  thread.sum.time_in[static_cast<size_t>(what)] += window_.ticks(thread.since, now);
  observe(thread.since, now, [&](TimelineObserver& observer, const Extent& when) {
    const uint64_t koid = koid_of(static_cast<Number>(&thread - threads_.data()));
    if (seemed != what) observer.seemed(seemed, koid);
    observer.thread_time(koid, what, when);
  });
  thread.since = now;
}

void Scheduling::credit_unknown(Cpu& cpu, uint64_t now) {
  cpu.sum.unknown += window_.ticks(cpu.since, now);
  observe(cpu.since, now, [&](TimelineObserver& observer, const Extent& when) {
    if (cpu.running != kNobody) observer.seemed(ThreadTime::kRunning, koid_of(cpu.running));
    observer.cpu_unknown(static_cast<unsigned>(&cpu - cpus_.data()), when);
  });
}

void Scheduling::credit_run(Cpu& cpu, unsigned number, Thread& thread, uint64_t now) {
  if (thread.moves) end_move(thread, false);
  add_run(cpu, number, thread, now);
  thread.since = now;
}

void Scheduling::add_run(Cpu& cpu, unsigned number, Thread& thread, uint64_t until) {
  const uint64_t ticks = window_.ticks(cpu.since, until);
  (thread.may_be_idle ? cpu.sum.unknown : thread.idle ? cpu.sum.idle : cpu.sum.busy) += ticks;
  thread.sum.time_in[static_cast<size_t>(ThreadTime::kRunning)] += ticks;
  credit_on_cpu(thread, number, ticks);
  observe(cpu.since, until, [&](TimelineObserver& observer, const Extent& when) {
    observer.ran(number, koid_of(static_cast<Number>(&thread - threads_.data())), when);
  });
  cpu.since = until;
}

void Scheduling::end_move(Thread& thread, bool is_run) {
  thread.moves = false;
  Cpu& cpu = cpus_[thread.moved_from];
  if (is_run) {
    if (window_.counts(cpu.moved_at))
      thread.sum.run.add({cpu.since, cpu.moved_at, offset_}, window_.precision, window_.room);
    return add_run(cpu, thread.moved_from, thread, cpu.moved_at);
  }
  thread.sum.time_in[static_cast<size_t>(ThreadTime::kUnknown)] +=
      window_.ticks(cpu.since, cpu.moved_at);
  observe(cpu.since, cpu.moved_at, [&](TimelineObserver& observer, const Extent& when) {
    const uint64_t koid = koid_of(static_cast<Number>(&thread - threads_.data()));
    observer.seemed(ThreadTime::kRunning, koid);
    observer.thread_time(koid, ThreadTime::kUnknown, when);
  });
}

void Scheduling::forget_move(Cpu& cpu) {
  if (cpu.moved == kNobody) return;
  Thread& thread = threads_[std::exchange(cpu.moved, kNobody)];
  if (thread.moves && &cpus_[thread.moved_from] == &cpu) end_move(thread, false);
}

void Scheduling::credit_on_cpu(Thread& thread, unsigned cpu, uint64_t ticks) {
  auto& by_cpu = thread.sum.running_by_cpu;
  const auto place = std::lower_bound(by_cpu.begin(), by_cpu.end(), cpu,
                                      [](const auto& one, unsigned at) { return one.first < at; });
  if (place != by_cpu.end() && place->first == cpu) {
    place->second += ticks;
  } else if (by_cpu.size() == kMaxCpusOfThread || cpus_of_threads_ == kMaxCpusOfThreads) {
    ++statistics_.left_out;
  } else {
    by_cpu.emplace(place, cpu, ticks);
    ++cpus_of_threads_;
  }
}

void Scheduling::forget(Thread& thread, uint64_t now, bool credited) {
  ThreadTime seemed = ThreadTime::kUnknown;
  if (thread.state == State::kRunning) seemed = ThreadTime::kRunning;
  if (thread.state == State::kRunnable) seemed = ThreadTime::kRunnable;
  if (thread.state == State::kBlocked) seemed = ThreadTime::kBlocked;
  if (thread.state == State::kUnseen || thread.state == State::kEnded) thread.since = now;
  credit(thread, credited ? seemed : ThreadTime::kUnknown, now, seemed);
  thread.state = State::kUnknown;
}

// The thread that seemed to run there may not have run.
void Scheduling::forget_cpu(Cpu& cpu, uint64_t now) {
  forget_move(cpu);
  credit_unknown(cpu, now);
  if (cpu.running != kNobody) forget(threads_[cpu.running], now, false);
  cpu.running = kNobody;
  cpu.bounded = false;
  cpu.since = now;
}

void Scheduling::wait(Number number, State state, uint64_t now) {
  Thread& thread = threads_[number];
  thread.since = now;
  thread.woken = false;
  thread.state = epoch_.losing > 0 && state != State::kEnded ? State::kUnknown : state;
  const bool can_be_forgotten = state == State::kRunnable || state == State::kBlocked;
  if (can_be_forgotten && !thread.listed) {
    thread.listed = true;
    waiting_.push_back(number);
  }
}

void Scheduling::forget_those_that_never_ran(uint64_t now) {
  for (const Number one : never_ran_) {
    Thread& thread = threads_[one];
    thread.listed_as_new = false;
    if (!thread.has_run && thread.state == State::kRunnable) forget(thread, now, true);
  }
  never_ran_.clear();
}

void Scheduling::change(const Moment& moment) {
  offset_ = moment.offset;
  Cpu* cpu = cpu_of(moment.cpu);
  const Number out = number_of(moment.a);
  const Number in = number_of(moment.b);
  if (cpu == nullptr || out == kNobody || in == kNobody) {
    ++statistics_.left_out;
    for (const Number known : {out, in}) {
      if (known != kNobody) forget(threads_[known], moment.time, false);
    }
    if (cpu != nullptr) forget_cpu(*cpu, moment.time);
    return;
  }
  if (!cpu->seen) {
    cpu->seen = true;
    cpu->first = cpu->since = moment.time;
  }
  if (window_.counts(moment.time)) {
    const auto cause = static_cast<size_t>(cause_of(moment));
    ++cpu->sum.switches.by_cause[cause];
    ++threads_[out].sum.switches.by_cause[cause];
    ++threads_[in].sum.runs;
  }
  if (is_losing(*cpu)) {
    // During a loss, switches do not show for how long threads ran.
    forget(threads_[out], moment.time, false);
    forget(threads_[in], moment.time, false);
    return;
  }
  leave(*cpu, moment, out);
  arrive(*cpu, moment, in);
  if (is_unknown_thread(moment.b)) forget_those_that_never_ran(moment.time);
}

void Scheduling::leave(Cpu& cpu, const Moment& moment, Number out) {
  Thread& thread = threads_[out];
  thread.has_run = true;
  const uint64_t now = moment.time;
  if (cpu.moved == out) {
    if (thread.moves && thread.moved_from == moment.cpu) end_move(thread, true);
    cpu.moved = kNobody;
    return credit_unknown(cpu, now);
  }
  const bool nothing_known = thread.state == State::kUnknown || thread.state == State::kUnseen ||
                             thread.state == State::kEnded;
  if (cpu.running == out && thread.state == State::kRunning) {
    if (window_.counts(now)) {
      thread.sum.run.add({cpu.since, now, moment.offset}, window_.precision, window_.room);
    }
    credit_run(cpu, moment.cpu, thread, now);
  } else if (cpu.running == kNobody && cpu.bounded && nothing_known && thread.since <= cpu.since) {
    if (thread.state == State::kUnknown) {
      credit(thread, ThreadTime::kUnknown, cpu.since);
    }
    credit_run(cpu, moment.cpu, thread, now);
  } else {
    // A switch is missing, on this CPU or on the one that the thread was on.
    if (thread.state == State::kRunning && thread.cpu != moment.cpu) {
      Cpu& before = cpus_[thread.cpu];
      forget_cpu(before, now);
      before.moved = out;  // it has not recorded that yet
    }
    forget_cpu(cpu, now);
    forget(thread, now, false);
  }
  if (moment.has_priorities) thread.priority = moment.outgoing_priority;
  thread.cpu = moment.cpu;
  switch (static_cast<fxt::ThreadState>(moment.state)) {
    case fxt::ThreadState::kNew:
    case fxt::ThreadState::kRunning:
      thread.waits = {now, 0, index_.find(moment.b),
                      moment.has_priorities ? moment.incoming_priority : -1};
      return wait(out, State::kRunnable, now);
    case fxt::ThreadState::kSuspended:
    case fxt::ThreadState::kBlocked:
      return wait(out, State::kBlocked, now);
    case fxt::ThreadState::kDying:
    case fxt::ThreadState::kDead:
      return wait(out, State::kEnded, now);
  }
  wait(out, State::kUnknown, now);
}

void Scheduling::arrive(Cpu& cpu, const Moment& moment, Number in) {
  Thread& thread = threads_[in];
  const uint64_t now = moment.time;
  switch (thread.state) {
    case State::kUnseen:
    case State::kEnded:
      break;
    case State::kUnknown:
      credit(thread, ThreadTime::kUnknown, now);
      break;
    case State::kRunning:
      if (thread.moves) end_move(thread, false);
      thread.moves = true;
      thread.moved_from = thread.cpu;
      cpus_[thread.cpu].moved = in;
      cpus_[thread.cpu].moved_at = now;
      cpus_[thread.cpu].running = kNobody;
      cpus_[thread.cpu].bounded = false;
      break;
    case State::kRunnable:
      if (thread.woken) {
        const Extent late{thread.wakeup.time, now, moment.offset};
        window_.add(thread.sum.latency, late);
        if (observer_ != nullptr) observer_->ran_late(moment.b, moment.cpu, late);
      }
      remember(thread, now);
      credit(thread, ThreadTime::kRunnable, now);
      break;
    case State::kBlocked:
      if (window_.counts(now)) ++thread.sum.missing_wakeups;
      credit(thread, ThreadTime::kWaiting, now);
      break;
  }
  if (moment.has_priorities) thread.priority = moment.incoming_priority;
  thread.state = State::kRunning;
  thread.has_run = true;
  thread.cpu = moment.cpu;
  thread.since = now;
  cpu.running = in;
  if (!std::exchange(cpu.listed, true)) running_.push_back(moment.cpu);
  cpu.bounded = false;
  cpu.since = now;
}

void Scheduling::remember(Thread& thread, uint64_t now) {
  SchedulingDelay& slot = thread.kept_off[thread.next_kept_off];
  slot = thread.waits;
  slot.end = now;
  thread.next_kept_off = static_cast<uint8_t>((thread.next_kept_off + 1) % Thread::kRemembered);
}

void Scheduling::wake(const Moment& moment, bool interrupted) {
  offset_ = moment.offset;
  const Number number = number_of(moment.a);
  if (number == kNobody) {
    ++statistics_.left_out;
    return;
  }
  Thread& thread = threads_[number];
  const uint64_t now = moment.time;
  if (window_.counts(now)) ++thread.sum.wakeups;
  // Waking a thread that runs, or is awake, begins no wait.
  if (thread.state == State::kRunning || thread.state == State::kRunnable) return;
  const Number there = current(moment.cpu);
  thread.wakeup = {now, interrupted ? kNobody : there, true};
  if (observer_ != nullptr) observer_->woke(moment, interrupted);
  if (epoch_.losing > 0) {
    if (thread.state != State::kUnknown) forget(thread, now, false);
    return;
  }
  if (thread.state == State::kBlocked) {
    window_.add(thread.sum.block, {thread.since, now, moment.offset});
    credit(thread, ThreadTime::kBlocked, now);
  } else if (thread.state == State::kUnknown) {
    credit(thread, ThreadTime::kUnknown, now);
  }
  wait(number, State::kRunnable, now);
  if (!thread.has_run && !std::exchange(thread.listed_as_new, true)) never_ran_.push_back(number);
  thread.woken = true;
  thread.cpu = moment.cpu;
  thread.waits = {now, 0, there, there == kNobody ? -1 : threads_[there].priority};
}

void Scheduling::settle(Cpu& cpu) {
  if (std::exchange(cpu.regains, regains_) == regains_ || !cpu.seen || cpu.losing) return;
  const uint64_t offset = std::exchange(offset_, kNoRecord);
  regain_cpu(cpu, regained_);
  offset_ = offset;
}

void Scheduling::lose_cpu(Cpu& cpu, unsigned number, uint64_t time) {
  forget_move(cpu);
  if (cpu.running != kNobody) {
    Thread& thread = threads_[cpu.running];
    credit_run(cpu, number, thread, time);
    thread.state = State::kUnknown;
    cpu.running = kNobody;
  } else if (cpu.seen) {
    credit_unknown(cpu, time);
  }
  cpu.bounded = false;
  cpu.since = time;
}

void Scheduling::regain_cpu(Cpu& cpu, uint64_t time) {
  credit_unknown(cpu, time);
  cpu.bounded = true;
  cpu.since = time;
}

void Scheduling::lose(std::optional<unsigned> number, uint64_t time) {
  offset_ = kNoRecord;
  if (number) {
    Cpu* cpu = cpu_of(*number);
    if (cpu == nullptr) return;
    if (!cpu->seen) cpu->first = time;
    if (!is_losing(*cpu)) lose_cpu(*cpu, *number, time);
    cpu->seen = cpu->losing = true;
  } else {
    for (const unsigned one : running_) {
      cpus_[one].listed = false;
      if (!is_losing(cpus_[one])) lose_cpu(cpus_[one], one, time);
    }
    running_.clear();
    all_losing_ = true;
  }
  // Waiting threads may be woken, and run, without a record.
  for (const Number one : waiting_) {
    Thread& thread = threads_[one];
    thread.listed = false;
    if (thread.state == State::kRunnable || thread.state == State::kBlocked)
      forget(thread, time, true);
  }
  waiting_.clear();
}

void Scheduling::regain(std::optional<unsigned> number, uint64_t time) {
  offset_ = kNoRecord;
  if (number) {
    Cpu* cpu = cpu_of(*number);
    if (cpu == nullptr) return;
    cpu->losing = false;
    if (!all_losing_) regain_cpu(*cpu, time);
    return;
  }
  all_losing_ = false;
  ++regains_;
  regained_ = time;
}

void Scheduling::finish(uint64_t end) {
  offset_ = kNoRecord;
  for (unsigned number = 0; number < cpus_.size(); ++number) {
    Cpu& cpu = cpus_[number];
    if (!cpu.seen) continue;
    // The running thread ran until the end.
    if (cpu.running != kNobody) {
      credit_run(cpu, number, threads_[cpu.running], end);
    } else {
      credit_unknown(cpu, end);
    }
    cpu.sum.observed = window_.ticks(cpu.first, end);
    statistics_.cpus[number] = cpu.sum;
  }
  for (Number number = 0; number < threads_.size(); ++number) {
    Thread& thread = threads_[number];
    if (thread.state != State::kUnseen && thread.state != State::kEnded &&
        thread.state != State::kRunning)
      forget(thread, end, true);
    statistics_.threads.emplace(index_.koid_of(number), std::move(thread.sum));
  }
}

}  // namespace barefxt::host
