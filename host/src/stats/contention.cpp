// Waits for locks, by lock and holder.
#include "contention.h"

namespace barefxt::host {

ObjectKey Contention::key_of(std::uint32_t object) const {
  const Keys::Key& named = names_.objects[object];
  return {names_.labels[named.label], named.number};
}

ContentionStatistics& Contention::sum_of(std::uint32_t object) {
  if (sums_.size() <= object) sums_.resize(names_.objects.size());
  if (sums_[object] == nullptr) sums_[object] = &statistics_.contention[key_of(object)];
  return *sums_[object];
}

bool Contention::is_shown(std::uint64_t waiter, std::optional<std::uint64_t> holder) const {
  if (selection_.threads.empty()) return true;
  const auto has = [&](std::uint64_t koid) {
    return selection_.has_thread(koid, statistics_.name_of(koid));
  };
  return has(waiter) || (holder && has(*holder));
}

void Contention::wait(const Extent& extent, std::uint64_t thread, std::uint32_t object) {
  if (!window_.counts(extent.end)) return;
  const Scheduling::Number waiter = scheduling_.find(thread);
  Scheduling::Number holder = Scheduling::kNobody;
  if (waiter != Scheduling::kNobody) {
    const Scheduling::Wakeup& wakeup = scheduling_.last_wakeup(waiter);
    if (wakeup.seen && extent.begin <= wakeup.time && wakeup.time <= extent.end &&
        wakeup.by != waiter)
      holder = wakeup.by;
  }
  std::optional<std::uint64_t> holder_koid;
  if (holder != Scheduling::kNobody) holder_koid = scheduling_.koid_of(holder);
  // Of an inversion the one in between may be whom is asked for.
  if (holder != Scheduling::kNobody) look_for_inversion(object, extent, waiter, holder);
  if (!is_shown(thread, holder_koid)) return;

  ContentionStatistics& sum = sum_of(object);
  window_.add(sum.wait, extent);
  if (pairs_ < kMostPairs || sum.by_holder.contains(holder_koid)) {
    const auto [entry, added] = sum.by_holder.try_emplace(holder_koid);
    pairs_ += added ? 1 : 0;
    window_.add(entry->second, extent);
  } else {
    ++statistics_.left_out;
  }
}

void Contention::look_for_inversion(std::uint32_t object, const Extent& extent,
                                    Scheduling::Number waiter, Scheduling::Number holder) {
  const int high = scheduling_.priority_of(waiter);
  const int low = scheduling_.priority_of(holder);
  if (low < 0 || high <= low) return;
  const std::uint64_t woken = scheduling_.last_wakeup(waiter).time;
  scheduling_.for_each_kept_off(holder, [&](const Scheduling::KeptOff& one) {
    if (one.by == Scheduling::kNobody || one.by == waiter || one.by == holder) return;
    if (one.by_priority < low || one.by_priority >= high) return;
    const std::uint64_t begin = std::max(one.begin, extent.begin);
    const std::uint64_t end = std::min(one.end, woken);
    if (begin >= end) return;
    const InversionKey key{key_of(object), scheduling_.koid_of(waiter), scheduling_.koid_of(holder),
                           scheduling_.koid_of(one.by)};
    const ProbeName& label = key.object.label;
    if (!statistics_.inversions.contains(key) &&
        (pairs_ >= kMostPairs ||
         !room_of_inversions_.take(label.category.size() + label.name.size()))) {
      ++statistics_.left_out;
      return;
    }
    const auto [entry, added] = statistics_.inversions.try_emplace(key);
    pairs_ += added ? 1 : 0;
    PriorityInversion& sum = entry->second;
    ++sum.times;
    sum.ticks += end - begin;
    if (end - begin > sum.longest_ticks) {
      sum.longest_ticks = end - begin;
      sum.longest = extent;
    }
  });
}

}  // namespace barefxt::host
