// Holds and waits in progress.
#include "lock_model.h"

#include <algorithm>

#include "../reader/give_back.h"

namespace barefxt::host {

LockModel::Id LockModel::id_of(const Moment& moment) const {
  return {moment.cpu, names_.objects[moment.label].number.value_or(0)};
}

LockModel::Lock* LockModel::lock_of(const Id& id) {
  const auto found = locks_.find(id);
  if (found != locks_.end()) return &found->second;
  if (locks_.size() == kMaxLocks) {
    ++left_out_;
    return nullptr;
  }
  Lock& lock = locks_[id];
  lock.id = id;
  return &lock;
}

LockModel::Wait* LockModel::wait_of(uint64_t thread, uint32_t level) {
  const auto found = waits_.find({level, thread});
  return found == waits_.end() ? nullptr : &found->second;
}

// Called when a wait begins. Waits whose end was not recorded are dropped: one for the same object,
// and an outer one in which the thread waits for another object than it did before.
uint32_t LockModel::level_of(const Moment& blocks) {
  if (Wait* const inner = wait_of(blocks.a, kInner)) drop(*inner, blocks.time);
  Wait* const outer = wait_of(blocks.a, kOuter);
  if (outer == nullptr) return kOuter;
  if (outer->label == blocks.label || outer->within.value_or(blocks.label) != blocks.label) {
    drop(*outer, blocks.time);
    return kOuter;
  }
  outer->within = blocks.label;
  return kInner;
}

void LockModel::blocks(const Moment& moment) {
  const uint64_t now = moment.time;
  advance(now);
  const uint32_t level = level_of(moment);
  Lock* const lock = lock_of(id_of(moment));
  if (lock == nullptr) return;
  if (lock->waits.size() == kMaxWaitsOfALock) {
    ++left_out_;
    return;
  }
  const bool is_known = epoch_.losing == 0;
  if (is_known && moment.b != 0) {
    if (lock->holder != moment.b) {
      set_holder(*lock, moment.b, now);
    } else if (observer_ != nullptr) {
      observer_->holds(lock->id, lock->holder, lock->holder_is_recorded, now);
    }
  } else if (!lock->holder_is_recorded || !is_known) {
    set_holder(*lock, std::nullopt, now);
  }
  Wait& wait = waits_[{level, moment.a}];
  // Its own release was not recorded, if it seems to wait for itself.
  const std::optional<uint64_t> holder = lock->holder == moment.a ? std::nullopt : lock->holder;
  wait = {moment.a, level, moment.label, now, 0, lock, std::nullopt, {{holder, now, now}}, {}};
  lock->waits.push_back(&wait);
  watch(*lock);
  if (observer_ != nullptr) observer_->wait_began(moment.a, level, lock->id, moment.label, now);
}

void LockModel::hold(const Moment& moment) {
  advance(moment.time);
  if (epoch_.losing > 0) return;
  Lock* const lock = lock_of({moment.cpu, moment.b});
  if (lock == nullptr) return;
  lock->holder_is_recorded = true;
  set_holder(*lock, moment.a, moment.time);
}

// Until the next one holds it, its waiters still wait for the last.
void LockModel::release(const Moment& moment) {
  advance(moment.time);
  const auto found = locks_.find({moment.cpu, moment.b});
  if (found == locks_.end()) return;
  Lock& lock = found->second;
  lock.holder.reset();
  lock.holder_is_recorded = true;
  if (observer_ != nullptr) observer_->released(lock.id, moment.time);
  watch(lock);
  drop_if_idle(lock);
}

void LockModel::set_holder(Lock& lock, std::optional<uint64_t> holder, uint64_t now) {
  lock.holder = holder;
  if (observer_ != nullptr) observer_->holds(lock.id, holder, lock.holder_is_recorded, now);
  for (Wait* const wait : lock.waits) {
    Part& last = wait->parts.back();
    if (last.holder == holder) continue;
    // The thread has just got the lock, and is about to record it: it did not wait for itself.
    if (holder == wait->thread) continue;
    last.end = std::max(last.begin, now);
    if (last.begin == last.end) {
      last.holder = holder;
    } else if (wait->parts.size() < kMaxParts) {
      wait->parts.push_back({holder, last.end, last.end});
    } else {
      last.holder.reset();
    }
  }
  watch(lock);
}

// Brings the list up to date with the lock.
void LockModel::watch(Lock& lock) {
  const bool is_to_be = lock.holder && !lock.waits.empty();
  if (is_to_be == lock.is_watched) return;
  if (!is_to_be) {
    watched_.erase(std::find(watched_.begin(), watched_.end(), &lock));
  } else if (watched_.size() == kMaxWatched) {
    ++left_out_;
    return;
  } else {
    watched_.push_back(&lock);
  }
  lock.is_watched = is_to_be;
}

void LockModel::drop(Wait& wait, uint64_t now) {
  if (observer_ != nullptr) observer_->wait_ended(wait.thread, wait.level, now);
  Lock& lock = *wait.lock;
  const Id key = {wait.level, wait.thread};
  lock.waits.erase(std::find(lock.waits.begin(), lock.waits.end(), &wait));
  waits_.erase(key);
  watch(lock);
  drop_if_idle(lock);
}

void LockModel::drop_if_idle(Lock& lock) {
  if (!lock.holder && lock.waits.empty()) locks_.erase(Id(lock.id));
}

bool LockModel::waits_for(uint64_t thread, const Lock& lock) const {
  for (const uint32_t level : {kOuter, kInner}) {
    const auto found = waits_.find({level, thread});
    if (found != waits_.end() && found->second.lock == &lock) return true;
  }
  return false;
}

void LockModel::look(uint64_t now) {
  if (now <= looked_at_) return;
  for (Lock* const lock : watched_) look_at(*lock, now);
}

// Accounts for the time since it was looked at last. No thread was switched or woken meanwhile.
void LockModel::look_at(Lock& lock, uint64_t now) {
  if (!lock.holder) return;
  const uint64_t holder_koid = *lock.holder;
  const Scheduling::Number holder = scheduling_.find(holder_koid);
  if (holder == Scheduling::kNobody || !scheduling_.is_runnable(holder)) return;
  const Scheduling::Number runner = scheduling_.current(scheduling_.ready_on(holder));
  if (runner == Scheduling::kNobody || runner == holder) return;
  const int low = scheduling_.priority_of(holder);
  const int between = scheduling_.priority_of(runner);
  const uint64_t runner_koid = scheduling_.koid_of(runner);
  if (low < 0 || between < low || waits_for(runner_koid, lock)) return;
  const size_t count = std::min(lock.waits.size(), kMaxLookedAt);
  for (size_t i = 0; i < count; ++i) {
    Wait& wait = *lock.waits[i];
    const Scheduling::Number waiter = scheduling_.find(wait.thread);
    // One that is ready was woken, most likely with the lock.
    if (waiter == Scheduling::kNobody || scheduling_.is_runnable(waiter)) continue;
    if (scheduling_.priority_of(waiter) <= between) continue;
    auto at =
        std::find_if(wait.inversions.begin(), wait.inversions.end(), [&](const Inverted& one) {
          return one.holder == holder_koid && one.runner == runner_koid;
        });
    if (at == wait.inversions.end()) {
      if (wait.inversions.size() == kMaxParts) {
        ++left_out_;
        continue;
      }
      at = wait.inversions.insert(at, Inverted{holder_koid, runner_koid, 0, 0, 0});
    }
    at->times += at->last_end == looked_at_ ? 0 : 1;
    at->ticks += now - looked_at_;
    at->last_end = now;
  }
}

void LockModel::count_block(uint64_t thread) {
  for (const uint32_t level : {kOuter, kInner})
    if (Wait* const wait = wait_of(thread, level)) ++wait->blocks;
}

std::optional<LockModel::Ended> LockModel::end(const Moment& duration) {
  const uint64_t now = duration.time;
  advance(now);
  Wait* const inner = wait_of(duration.a, kInner);
  Wait* const of_label =
      inner != nullptr && inner->label == duration.label ? inner : wait_of(duration.a, kOuter);
  if (of_label == nullptr) return std::nullopt;
  Wait& wait = *of_label;
  // The thread takes the time of the duration's begin before it records that it waits.
  if (wait.label != duration.label || duration.b > wait.begin) return std::nullopt;
  if (inner != nullptr && inner != of_label) drop(*inner, now);
  Ended ended{std::move(wait.parts), std::move(wait.inversions),
              wait.blocks > 1 ? wait.blocks - 1 : 0};
  ended.parts.front().begin = duration.b;
  ended.parts.back().end = now;
  Lock& lock = *wait.lock;
  // The others wait for this one now, since it was woken with the lock.
  const bool has_got_it = duration.state == 0;
  if (has_got_it && lock.waits.size() > 1 && !lock.holder_is_recorded && lock.holder &&
      epoch_.losing == 0) {
    const Scheduling::Number waiter = scheduling_.find(duration.a);
    uint64_t since = now;
    if (waiter != Scheduling::kNobody) {
      const Scheduling::Wakeup& wakeup = scheduling_.last_wakeup(waiter);
      if (wakeup.seen && wakeup.time >= wait.begin) since = wakeup.time;
    }
    drop(wait, now);
    set_holder(lock, duration.a, since);
  } else {
    drop(wait, now);
  }
  return ended;
}

void LockModel::lose() {
  watched_.clear();
  forget_all(waits_);
  forget_all(locks_);
}

}  // namespace barefxt::host
