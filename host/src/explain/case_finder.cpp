// Which intervals are asked for.
#include "case_finder.h"

#include <algorithm>
#include <tuple>

namespace barefxt::host {
namespace {

// Compares two: the better one is kept.
constexpr auto kRather = [](const CaseFinder::Found& a, const CaseFinder::Found& b) {
  return std::tuple(b.when.length(), a.when.begin, a.when.offset) <
         std::tuple(a.when.length(), b.when.begin, b.when.offset);
};

}  // namespace

CaseFinder::CaseFinder(const ExplainOptions& options) : options_(options) {
  const bool is_other = !options.lock.empty() || !options.flow.empty() || !options.slice.empty();
  wants_latencies_ = !is_other && !options.at;
  if (!options.thread.empty()) selection_.threads.push_back(options.thread);
}

void CaseFinder::begin(const Statistics& statistics, bool to_nanoseconds) {
  History::begin(statistics, to_nanoseconds);
  trace_ = &statistics;
  if (options_.at) at_ = options_.at->ticks(statistics.ticks_per_second);
}

void CaseFinder::know(const Names& names) {
  History::know(names);
  names_ = &names;
}

bool CaseFinder::is_of_thread(uint64_t koid) {
  constexpr size_t kMaxRemembered = size_t{1} << 16;
  if (trace_->is_idle(koid)) return false;
  if (selection_.threads.empty()) return true;
  const auto known = of_thread_.find(koid);
  if (known != of_thread_.end()) return known->second;
  const bool is_one = selection_.has_thread(koid, trace_->name_of(koid));
  if (of_thread_.size() < kMaxRemembered) of_thread_[koid] = is_one;
  return is_one;
}

bool CaseFinder::is_of_lock(uint32_t object) {
  if (of_lock_.size() <= object) of_lock_.resize(names_->objects.size());
  uint8_t& known = of_lock_[object];
  if (known == 0) {
    const Keys::Key& key = names_->objects[object];
    const ProbeName& label = names_->labels[key.label];
    const std::string name = trace_->name_of({label, key.number});
    const bool is_number = key.number && std::to_string(*key.number) == options_.lock;
    known = is_number || matches(options_.lock, label.name) ||
                    (!name.empty() && matches(options_.lock, name))
                ? 2
                : 1;
  }
  return known == 2;
}

void CaseFinder::add(Found found) {
  ++looked_at_;
  if (options_.worst == 0) return;
  const size_t most = std::min(options_.worst, ExplainOptions::kMaxCases);
  if (heap_.size() == most) {
    if (!kRather(found, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), kRather);
    heap_.pop_back();
  }
  heap_.push_back(std::move(found));
  std::push_heap(heap_.begin(), heap_.end(), kRather);
}

// If it holds the time that is asked for.
void CaseFinder::add_around(Found found) {
  if (at_ && found.when.begin <= *at_ && *at_ < found.when.end) add(std::move(found));
}

std::vector<CaseFinder::Found> CaseFinder::take() {
  while (!off_.empty()) end_off(off_.begin()->first, off_.begin()->second.end);
  std::sort(heap_.begin(), heap_.end(), kRather);
  return std::move(heap_);
}

void CaseFinder::end_off(uint64_t thread, uint64_t end) {
  const auto begun = off_.find(thread);
  if (begun == off_.end()) return;
  const uint64_t begin = begun->second.begin;
  off_.erase(begun);
  add_around({CaseKind::kOff, {begin, end, kNoRecord}, thread, {}, {}});
}

void CaseFinder::ran(unsigned cpu, uint64_t thread, const Extent& when) {
  History::ran(cpu, thread, when);
  if (!at_ || !is_of_thread(thread)) return;
  end_off(thread, when.begin);
  add_around({CaseKind::kOff, when, thread, cpu, {}});
}

void CaseFinder::thread_time(uint64_t thread, ThreadTime what, const Extent& when) {
  History::thread_time(thread, what, when);
  if (at_) {
    if (is_of_thread(thread))
      off_.try_emplace(thread, Off{when.begin, 0}).first->second.end = when.end;
    return;
  }
  if (!wants_latencies_ || selection_.threads.empty() || what != ThreadTime::kRunnable) return;
  if (!is_of_thread(thread)) return;
  // One that began by a wakeup is a latency.
  const Thread* const one = History::thread(thread);
  const Step* const ready = one == nullptr ? nullptr : &steps()[one->doing.last];
  if (ready == nullptr || (ready->flags & kHasNext) == 0) return;
  const uint32_t wakeup = one->wakeups.last;
  if (wakeup != kNoStep && steps()[wakeup].time == when.begin) return;
  add({CaseKind::kReady, when, thread, ready->number, {}});
}

void CaseFinder::ran_late(uint64_t thread, unsigned cpu, const Extent& when) {
  if (!wants_latencies_ || !is_of_thread(thread)) return;
  add({CaseKind::kLatency, when, thread, cpu, {}});
}

void CaseFinder::lasted(uint64_t thread, const ProbeName& label, const Extent& when, uint64_t,
                        bool whole) {
  if (options_.slice.empty() || !whole || !matches(options_.slice, label.name)) return;
  if (!is_of_thread(thread) || cpu_of_name(trace_->name_of(thread))) return;
  add({CaseKind::kDuration, when, thread, {}, label});
}

void CaseFinder::waited(uint64_t thread, uint32_t object, const Extent& when) {
  History::waited(thread, object, when);
  const bool of_threads = wants_latencies_ && !selection_.threads.empty();
  if (options_.lock.empty() ? !of_threads : !is_of_lock(object)) return;
  if (!is_of_thread(thread)) return;
  add({CaseKind::kLockWait, when, thread, {}, {}, object});
}

void CaseFinder::flowed(uint32_t label, uint64_t first_thread, uint64_t last_thread,
                        const Extent& when, bool) {
  if (options_.flow.empty() || !matches(options_.flow, names_->labels[label].name)) return;
  add({CaseKind::kFlow, when, last_thread, {}, names_->labels[label], 0, first_thread});
}

}  // namespace barefxt::host
