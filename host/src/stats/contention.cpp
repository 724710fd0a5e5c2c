// Waits for locks, by lock and holder.
#include "contention.h"

#include <algorithm>

namespace barefxt::host {

std::string_view kind_of_wait(const ProbeName& wait) {
  if (wait.category == "lock") return "lock";
  const auto has = [&](std::string_view word) { return wait.name.find(word) != std::string::npos; };
  if (has("mutex")) return "mutex";
  if (has("semaphore")) return "semaphore";
  if (has("queue") || has("mailbox") || has("stream buffer") || has("port")) return "queue";
  if (has("condition")) return "condition";
  if (has("event")) return "event";
  return "other";
}

ObjectKey Contention::key_of(uint32_t object) const {
  const Keys::Key& named = names_.objects[object];
  return {names_.labels[named.label], named.number};
}

ContentionStatistics& Contention::sum_of(uint32_t object) {
  if (sums_.size() <= object) sums_.resize(names_.objects.size());
  if (sums_[object] == nullptr) sums_[object] = &statistics_.contention[key_of(object)];
  return *sums_[object];
}

bool Contention::is_shown(uint64_t waiter, std::optional<uint64_t> holder) const {
  if (selection_.threads.empty()) return true;
  const auto has = [&](uint64_t koid) {
    return selection_.has_thread(koid, statistics_.name_of(koid));
  };
  return has(waiter) || (holder && has(*holder));
}

bool Contention::is_shown(uint64_t waiter, const Ended& wait) const {
  return std::any_of(wait.parts.begin(), wait.parts.end(),
                     [&](const LockModel::Part& part) { return is_shown(waiter, part.holder); });
}

void Contention::blocks(const Moment& moment) {
  if (is_recorded_.size() <= moment.label) is_recorded_.resize(names_.objects.size());
  is_recorded_[moment.label] = true;
  is_any_recorded_ = true;
}

void Contention::wait(const Moment& moment) {
  const Extent extent{moment.b, moment.time, moment.offset};
  if (std::optional<Ended> ended = locks_.end(moment))
    return add(extent, moment.a, moment.label, *ended);
  const bool is_recorded = moment.label < is_recorded_.size() && is_recorded_[moment.label];
  const Keys::Key& named = names_.objects[moment.label];
  if (names_.labels.role(named.label) == Role::kLock) {
    // Its beginning was lost, or came ahead of the trace, or the kernel records none.
    if (!is_recorded && !is_any_recorded_) return wait_of_pair(extent, moment.a, moment.label);
  } else if (!is_recorded) {
    return;
  }
  add(extent, moment.a, moment.label, {{{std::nullopt, extent.begin, extent.end}}, {}, 0});
}

void Contention::wait_of_pair(const Extent& extent, uint64_t thread, uint32_t object) {
  guess(extent, thread, guessed_);
  add(extent, thread, object, guessed_);
}

void Contention::guess(const Extent& extent, uint64_t thread, Ended& wait) const {
  wait.parts.assign(1, {std::nullopt, extent.begin, extent.end});
  wait.inversions.clear();
  const Scheduling::Number waiter = scheduling_.find(thread);
  if (waiter == Scheduling::kNobody) return;
  const Scheduling::Wakeup& wakeup = scheduling_.last_wakeup(waiter);
  if (!wakeup.seen || wakeup.time < extent.begin || extent.end < wakeup.time ||
      wakeup.by == waiter || wakeup.by == Scheduling::kNobody)
    return;
  wait.parts.front().holder = scheduling_.koid_of(wakeup.by);
  look_for_inversion(extent, waiter, wakeup.by, wait);
}

void Contention::look_for_inversion(const Extent& extent, Scheduling::Number waiter,
                                    Scheduling::Number holder, Ended& wait) const {
  const int high = scheduling_.priority_of(waiter);
  const int low = scheduling_.priority_of(holder);
  if (low < 0 || high <= low) return;
  const uint64_t woken = scheduling_.last_wakeup(waiter).time;
  scheduling_.for_each_kept_off(holder, [&](const Scheduling::SchedulingDelay& one) {
    if (one.by == Scheduling::kNobody || one.by == waiter || one.by == holder) return;
    if (one.by_priority < low || one.by_priority >= high) return;
    const uint64_t begin = std::max(one.begin, extent.begin);
    const uint64_t end = std::min(one.end, woken);
    if (begin >= end) return;
    const uint64_t runner = scheduling_.koid_of(one.by);
    auto at =
        std::find_if(wait.inversions.begin(), wait.inversions.end(),
                     [&](const LockModel::Inverted& known) { return known.runner == runner; });
    if (at == wait.inversions.end())
      at = wait.inversions.insert(at, {scheduling_.koid_of(holder), runner, 0, 0, 0});
    ++at->times;
    at->ticks += end - begin;
  });
}

void Contention::add(const Extent& extent, uint64_t thread, uint32_t object, const Ended& wait) {
  if (observer_ != nullptr) observer_->waited(thread, object, extent);
  if (!window_.counts(extent.end)) return;
  // The thread in between of an inversion may be the one asked for.
  for (const LockModel::Inverted& one : wait.inversions) add_inversion(extent, thread, object, one);
  if (!is_shown(thread, wait)) return;
  ContentionStatistics& sum = sum_of(object);
  window_.add(sum.wait, extent);
  sum.woken_in_vain += wait.woken_in_vain;
  for (const LockModel::Part& part : wait.parts) {
    if (pairs_ >= kMaxPairs && !sum.by_holder.contains(part.holder)) {
      ++statistics_.left_out;
      continue;
    }
    const auto [entry, added] = sum.by_holder.try_emplace(part.holder);
    pairs_ += added ? 1 : 0;
    entry->second.add({part.begin, part.end, extent.offset}, window_.precision);
  }
}

void Contention::add_inversion(const Extent& extent, uint64_t thread, uint32_t object,
                               const LockModel::Inverted& inverted) {
  const InversionKey key{key_of(object), thread, inverted.holder, inverted.runner};
  const ProbeName& label = key.object.label;
  if (!statistics_.inversions.contains(key) &&
      (pairs_ >= kMaxPairs ||
       !room_of_inversions_.take(label.category.size() + label.name.size()))) {
    ++statistics_.left_out;
    return;
  }
  const auto [entry, added] = statistics_.inversions.try_emplace(key);
  pairs_ += added ? 1 : 0;
  PriorityInversion& sum = entry->second;
  ++sum.waits;
  sum.times += inverted.times;
  sum.ticks += inverted.ticks;
  if (inverted.ticks > sum.longest_ticks) {
    sum.longest_ticks = inverted.ticks;
    sum.longest = extent;
  }
}

void Contention::finish() {
  locks_.for_each_open([&](uint64_t thread, uint32_t label) {
    if (is_shown(thread, std::nullopt)) ++sum_of(label).unfinished;
  });
  statistics_.left_out += locks_.left_out();
}

}  // namespace barefxt::host
