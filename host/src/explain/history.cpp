// The fold's steps, kept.
#include "history.h"

#include <barefxt/fxt/scheduling.h>

namespace barefxt::host {
namespace {

template <typename State>
uint8_t number(State state) {
  return static_cast<uint8_t>(state);
}

}  // namespace

void History::begin(const Statistics& statistics, bool) { statistics_ = &statistics; }

History::Thread* History::thread_of(uint64_t koid) {
  const uint32_t number = index_.number_of(koid);
  if (number == KoidIndex::kNone) {
    ++left_out_;
    return nullptr;
  }
  if (number == threads_.size()) threads_.emplace_back();
  return &threads_[number];
}

History::Cpu* History::cpu_at(unsigned number) {
  if (number >= kMaxCpus) return nullptr;
  if (number >= cpus_.size()) cpus_.resize(number + 1);
  return &cpus_[number];
}

InterruptFold* History::interrupts_of(unsigned number) {
  Cpu* const cpu = cpu_at(number);
  if (cpu == nullptr) return nullptr;
  if (cpu->listed) return &cpu->interrupts;
  if (all_losing_) {
    cpu->interrupts.lose(steps_, lost_at_);
    return &cpu->interrupts;
  }
  if (cpu->regains != regains_) cpu->interrupts.regain(steps_, regained_);
  cpu->regains = regains_;
  cpu->listed = true;
  recording_.push_back(number);
  return &cpu->interrupts;
}

InterruptFold* History::growing(unsigned number, uint64_t time) {
  if (++pending_ >= kMaxPending) bound_pending(time);
  return interrupts_of(number);
}

// Counts anew, since most is settled by now.
void History::bound_pending(uint64_t time) {
  pending_ = 0;
  for (const Cpu& cpu : cpus_) pending_ += cpu.interrupts.pending();
  if (pending_ < kMaxPending / 2) return;
  for (Cpu& cpu : cpus_) cpu.interrupts.give_up(steps_, time);
  pending_ = 0;
}

History::Lock* History::lock_of(const LockId& id) {
  const auto found = lock_numbers_.find(id);
  if (found != lock_numbers_.end()) return &locks_[found->second];
  if (locks_.size() == kMaxLocks) {
    ++left_out_;
    return nullptr;
  }
  lock_numbers_[id] = static_cast<uint32_t>(locks_.size());
  return &locks_.emplace_back();
}

const History::Thread* History::thread(uint64_t koid) const {
  const uint32_t number = index_.find(koid);
  return number == KoidIndex::kNone ? nullptr : &threads_[number];
}

const History::Cpu* History::cpu(unsigned number) const {
  return number < cpus_.size() ? &cpus_[number] : nullptr;
}

std::optional<unsigned> History::cpu_of(uint64_t koid) const {
  const Thread* const one = thread(koid);
  if (one == nullptr || one->last_in != epoch_) return std::nullopt;
  return one->next_cpu;
}

std::optional<unsigned> History::only_cpu() const {
  std::optional<unsigned> only;
  for (unsigned number = 0; number < cpus_.size(); ++number) {
    if (!cpus_[number].seen) continue;
    if (only) return std::nullopt;
    only = number;
  }
  return only;
}

void History::ran(unsigned cpu_number, uint64_t koid, const Extent& when) {
  if (Cpu* const cpu = cpu_at(cpu_number)) {
    cpu->seen = true;
    if (cpu->known_until < when.begin)
      steps_.add(cpu->runs, cpu->known_until, number(CpuState::kUnknown));
    steps_.add(cpu->runs, when.begin, number(CpuState::kRuns), koid, 0,
               statistics_->is_idle(koid) ? kIsIdle : 0);
    cpu->known_until = when.end;
  }
  Thread* const thread = thread_of(koid);
  if (thread == nullptr) return;
  if (thread->known_until < when.begin)
    steps_.add(thread->doing, thread->known_until, number(Doing::kUnknown));
  steps_.add(thread->doing, when.begin, number(Doing::kRunning), 0,
             static_cast<uint16_t>(cpu_number));
  thread->known_until = when.end;
}

void History::cpu_unknown(unsigned cpu_number, const Extent& when) {
  Cpu* const cpu = cpu_at(cpu_number);
  if (cpu == nullptr) return;
  cpu->seen = true;
  steps_.add(cpu->runs, when.begin, number(CpuState::kUnknown));
  cpu->known_until = when.end;
}

void History::thread_time(uint64_t koid, ThreadTime what, const Extent& when) {
  Thread* const thread = thread_of(koid);
  if (thread == nullptr) return;
  if (thread->known_until < when.begin)
    steps_.add(thread->doing, thread->known_until, number(Doing::kUnknown));
  thread->known_until = when.end;
  if (what == ThreadTime::kBlocked)
    return steps_.add(thread->doing, when.begin, number(Doing::kBlocked), 0, 0,
                      thread->began_seen ? kBeganSeen : 0);
  if (what != ThreadTime::kRunnable) {
    thread->last_cpu.reset();
    return steps_.add(thread->doing, when.begin, number(Doing::kUnknown));
  }
  if (thread->last_ran != epoch_) thread->last_cpu.reset();
  const bool has_next = has_next_ && next_thread_ == koid && next_time_ == when.end;
  const uint8_t flags =
      static_cast<uint8_t>((has_next ? kHasNext : 0) | (thread->last_cpu ? kHasLast : 0));
  steps_.add(thread->doing, when.begin, number(Doing::kRunnable), thread->last_cpu.value_or(0),
             static_cast<uint16_t>(has_next ? next_cpu_ : 0), flags);
}

void History::lost(std::optional<unsigned>, const Extent&) {}

void History::sample(uint64_t koid, uint8_t priority, uint64_t time) {
  Thread* const thread = thread_of(koid);
  if (thread == nullptr) return;
  // It changed at some time since the last record of it. It may have changed, and back, if records
  // were lost in between.
  if (thread->priority_now != priority || thread->sampled_in != epoch_) {
    const bool is_first = thread->priority_now < 0;
    if (!is_first) steps_.add(thread->priority, thread->sampled, 0);
    // Before its first record it is taken for the same, unless records were lost.
    steps_.add(thread->priority, is_first && epoch_ == kFirstEpoch ? 0 : time, 1, priority);
  }
  thread->priority_now = priority;
  thread->sampled = time;
  thread->sampled_in = epoch_;
}

void History::change(const Moment& moment) {
  pass(moment.time);
  has_next_ = true;
  next_thread_ = moment.b;
  next_time_ = moment.time;
  next_cpu_ = moment.cpu;
  if (Thread* const out = thread_of(moment.a)) {
    out->began_seen = out->last_in == epoch_;
    out->last_cpu = moment.cpu;
    out->last_ran = epoch_;
  }
  if (Thread* const in = thread_of(moment.b)) {
    in->last_in = epoch_;
    in->next_cpu = moment.cpu;
  }
  if (moment.has_priorities) {
    sample(moment.a, moment.outgoing_priority, moment.time);
    sample(moment.b, moment.incoming_priority, moment.time);
    const auto state = static_cast<fxt::ThreadState>(moment.state);
    const bool is_ready = state == fxt::ThreadState::kNew || state == fxt::ThreadState::kRunning;
    if (is_ready && !statistics_->is_idle(moment.a) && !statistics_->is_idle(moment.b)) {
      up_ += moment.incoming_priority > moment.outgoing_priority ? 1 : 0;
      down_ += moment.incoming_priority < moment.outgoing_priority ? 1 : 0;
    }
  }
  if (InterruptFold* const fold = growing(moment.cpu, moment.time))
    fold->change(steps_, moment.time);
}

void History::woke(const Moment& moment, bool in_interrupt) {
  pass(moment.time);
  InterruptFold* const fold = growing(moment.cpu, moment.time);
  if (fold != nullptr) {
    fold->mark(moment.time);
    fold->make_room(steps_, moment.time);
  }
  Thread* const thread = thread_of(moment.a);
  if (thread == nullptr) return;
  Waker waker = Waker::kRunning;
  uint64_t value = 0;
  if (moment.state != 0) {
    waker = Waker::kInterrupt;
    value = moment.label;
  } else if (moment.b != 0) {
    waker = Waker::kThread;
    value = moment.b;
  } else if (in_interrupt) {
    waker = Waker::kOpen;
  }
  steps_.add(thread->wakeups, moment.time, number(waker), value,
             static_cast<uint16_t>(fold == nullptr ? 0 : moment.cpu),
             fold == nullptr ? 0 : kHasCpu);
}

void History::interrupt_began(unsigned cpu_number, uint32_t label, uint64_t time) {
  if (names_->labels.role(label) == Role::kCall) return;
  pass(time);
  has_interrupts_ = true;
  if (InterruptFold* const fold = growing(cpu_number, time)) fold->began(label, time);
}

void History::interrupt_ended(unsigned cpu_number, uint32_t label, const Extent& when, bool whole) {
  if (is_finished_ || names_->labels.role(label) == Role::kCall) return;
  pass(when.end);
  InterruptFold* const fold = growing(cpu_number, when.end);
  if (fold == nullptr) return;
  has_interrupts_ = true;
  has_late_interrupts_ = has_late_interrupts_ || (whole && !fold->is_open());
  fold->ended(label, when.begin, when.end, whole);
  fold->make_room(steps_, when.end);
}

void History::ended_unbegun(uint64_t, unsigned cpu_number, uint32_t label, uint64_t time) {
  if (cpu_number == kNoCpu) return;
  if (names_->labels.role(label) == Role::kCall) return;
  pass(time);
  has_interrupts_ = true;
  InterruptFold* const fold = growing(cpu_number, time);
  if (fold == nullptr) return;
  fold->ended_unbegun(label, time);
  fold->make_room(steps_, time);
}

void History::lose(std::optional<unsigned> cpu_number, uint64_t time) {
  pass(time);
  ++epoch_;
  steps_.add(losses_, time, 0, ++losing_);
  steps_.add(lock_losses_, time, 0);
  if (cpu_number) {
    if (InterruptFold* const fold = interrupts_of(*cpu_number)) fold->lose(steps_, time);
    return;
  }
  for (const unsigned one : recording_) {
    cpus_[one].listed = false;
    cpus_[one].interrupts.lose(steps_, time);
  }
  recording_.clear();
  lost_at_ = time;
  all_losing_ = true;
}

void History::lose_again() {
  ++epoch_;
  steps_.add(lock_losses_, within_tick_, 0);
  for (const std::optional<unsigned>& one : within_a_tick_) {
    const auto open_again = [&](unsigned number) {
      InterruptFold& fold = cpus_[number].interrupts;
      if (fold.is_losing()) return;
      fold.lose(steps_, within_tick_);
      fold.regain(steps_, within_tick_);
    };
    if (one && *one < cpus_.size()) {
      open_again(*one);
    } else if (!one) {
      for (const unsigned number : recording_) open_again(number);
    }
  }
  within_a_tick_.clear();
}

void History::regain(std::optional<unsigned> cpu_number, uint64_t time) {
  pass(time);
  const uint64_t lost = losses_.last == kNoStep ? 0 : losses_.time;
  if (time - std::min(lost, time) <= 1) {
    within_a_tick_.push_back(cpu_number);
    within_tick_ = time;
  }
  ++epoch_;
  steps_.add(losses_, time, 0, --losing_);
  // A wait that began meanwhile may have ended on the CPU that lost its records.
  steps_.add(lock_losses_, time, 0);
  if (cpu_number) {
    InterruptFold* const fold = interrupts_of(*cpu_number);
    if (fold != nullptr && !all_losing_) fold->regain(steps_, time);
    return;
  }
  all_losing_ = false;
  ++regains_;
  regained_ = time;
}

void History::holds(const LockId& id, std::optional<uint64_t> holder, bool recorded,
                    uint64_t time) {
  pass(time);
  Lock* const lock = lock_of(id);
  if (lock == nullptr) return;
  steps_.add(lock->holder, time, number(holder ? HolderState::kHeld : HolderState::kUnknown),
             holder.value_or(0), 0, recorded ? kIsRecorded : 0);
}

void History::released(const LockId& id, uint64_t time) {
  pass(time);
  Lock* const lock = lock_of(id);
  if (lock == nullptr) return;
  const uint64_t last = lock->holder.last == kNoStep ? 0 : steps_[lock->holder.last].value;
  if (last != 0) use_locks(last, time);
  // While records are lost, another may have taken it.
  const HolderState state = losing_ > 0 ? HolderState::kUnknown : HolderState::kFree;
  steps_.add(lock->holder, time, number(state), last, 0, kIsRecorded);
}

void History::wait_began(uint64_t koid, uint32_t level, const LockId& id, uint32_t object,
                         uint64_t time) {
  pass(time);
  Thread* const thread = thread_of(koid);
  Lock* const lock = lock_of(id);
  if (thread == nullptr || lock == nullptr) return;
  use_locks(koid, time);
  lock->object = object;
  steps_.add(thread->waits[level], time, number(WaitState::kWaits),
             static_cast<uint64_t>(lock - locks_.data()), static_cast<uint16_t>(object));
}

void History::wait_ended(uint64_t koid, uint32_t level, uint64_t time) {
  pass(time);
  Thread* const thread = thread_of(koid);
  if (thread == nullptr) return;
  use_locks(koid, time);
  steps_.add(thread->waits[level], time, number(WaitState::kNone));
}

void History::waited(uint64_t koid, uint32_t, const Extent& when) {
  Thread* const thread = thread_of(koid);
  if (thread == nullptr) return;
  pass(when.end);
  use_locks(koid, when.end);
  steps_.add(thread->waited, when.begin, number(WaitState::kWaits));
  steps_.add(thread->waited, when.end, number(WaitState::kNone));
}

void History::use_locks(uint64_t koid, uint64_t time) {
  if (Thread* const thread = thread_of(koid)) {
    // One for each epoch is enough.
    if (thread->used_locks == epoch_) return;
    thread->used_locks = epoch_;
    steps_.add(thread->lock_uses, time, 0);
  }
}

void History::finishing(uint64_t end) {
  pass(end);
  is_finished_ = true;
  for (const unsigned one : recording_) cpus_[one].interrupts.finish(steps_, end);
  // A priority is known from one record to the next.
  for (Thread& thread : threads_)
    if (thread.priority_now >= 0) steps_.add(thread.priority, thread.sampled, 0);
  for (uint32_t i = 0; i < names_->labels.size(); ++i) labels_.push_back(names_->labels[i]);
  for (uint32_t i = 0; i < names_->objects.size(); ++i) {
    const Keys::Key& key = names_->objects[i];
    objects_.push_back({labels_[key.label], key.number});
  }
}

}  // namespace barefxt::host
