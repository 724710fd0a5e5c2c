// Which intervals are asked for.
#include "case_finder.h"

#include <algorithm>
#include <tuple>

#include <barefxt/host/measures.h>

namespace barefxt::host {
namespace {

// Compares two: the better one is kept.
constexpr auto kRather = [](const CaseFinder::Found& a, const CaseFinder::Found& b) {
  return std::tuple(b.when.length(), a.when.begin, a.when.offset) <
         std::tuple(a.when.length(), b.when.begin, b.when.offset);
};

// Null: the line bounds something else, or waits by their holder.
std::optional<CaseKind> case_kind_of(const BudgetLine& line) {
  const bool by_holder = std::ranges::any_of(
      line.selectors, [](const auto& selector) { return selector.first == "holder"; });
  if (line.metric == "wakeup_latency") return CaseKind::kLatency;
  if (line.metric == "contention" && !by_holder) return CaseKind::kLockWait;
  if (line.metric == "duration") return CaseKind::kDuration;
  if (line.metric == "flow") return CaseKind::kFlow;
  return std::nullopt;
}

// Lengths up to this violate no bound of the line's. 0 if the line does not bound each length.
uint64_t longest_kept(const BudgetLine& line, uint64_t ticks_per_second) {
  if (line.above) return line.above->whole_ticks(ticks_per_second);
  using Bound = BudgetLine::Bound;
  using Scale = BudgetLine::Scale;
  const bool is_of_each = line.statistic == "max" || line.statistic == "min" ||
                          line.statistic == "mean" || line.statistic.starts_with("p");
  if (!is_of_each || line.bound == Bound::kAtLeast || line.bound == Bound::kMore) return 0;
  if (line.scale != Scale::kNanoseconds && line.scale != Scale::kTicks) return 0;
  return TimeBound{line.scale == Scale::kTicks, line.limit}.whole_ticks(ticks_per_second);
}

}  // namespace

std::vector<BudgetLine> lines_to_explain(const std::vector<Verdict>& verdicts) {
  std::vector<BudgetLine> lines;
  for (const Verdict& verdict : verdicts) {
    if (lines.size() == ExplainOptions::kMaxLines) break;
    if (!verdict.violations.empty() && case_kind_of(*verdict.line)) lines.push_back(*verdict.line);
  }
  return lines;
}

CaseFinder::CaseFinder(const ExplainOptions& options) : options_(options) {
  for (const BudgetLine& line : options.budget) {
    if (const auto kind = case_kind_of(line)) want(*kind);
    longest_.push_back({&line, {}, 0, {}});
  }
  if (options.of_each_kind) {
    for (const CaseKind kind : {CaseKind::kLatency, CaseKind::kReady, CaseKind::kLockWait,
                                CaseKind::kDuration, CaseKind::kFlow})
      longest_.push_back({nullptr, kind, 0, {}});
  }
  if (longest_.empty()) longest_.push_back({nullptr, {}, 0, {}});
  most_ = std::min(options.worst, ExplainOptions::kMaxCases / longest_.size());
  if (options.budget.empty()) want_without_budget();
}

void CaseFinder::want_without_budget() {
  if (options_.of_each_kind) return wants_.fill(true);
  if (options_.at) return want(CaseKind::kOff);
  if (!options_.lock.empty()) return want(CaseKind::kLockWait);
  if (!options_.flow.empty()) return want(CaseKind::kFlow);
  if (!options_.slice.empty()) return want(CaseKind::kDuration);
  const bool is_by_label = options_.selection.is_by_label();
  if (is_by_label) want(CaseKind::kFlow);
  if (is_by_label) want(CaseKind::kDuration);
  const bool is_by_thread = !options_.selection.threads.empty();
  if (is_by_label || is_by_thread) want(CaseKind::kLockWait);
  if (is_by_label) return;
  want(CaseKind::kLatency);
  if (is_by_thread) want(CaseKind::kReady);
}

void CaseFinder::begin(const Statistics& statistics, bool to_nanoseconds) {
  History::begin(statistics, to_nanoseconds);
  trace_ = &statistics;
  const uint64_t rate = statistics.ticks_per_second;
  if (options_.at) at_ = options_.at->ticks(rate);
  const Result<Stretch> stretch = stretch_of(options_.selection, rate, {});
  status_ = stretch.ok() ? Status() : stretch.error();
  if (stretch.ok()) stretch_ = stretch.value();
  for (Longest& longest : longest_)
    if (longest.line != nullptr) longest.longer_than = longest_kept(*longest.line, rate);
}

void CaseFinder::know(const Names& names) {
  History::know(names);
  names_ = &names;
}

bool CaseFinder::is_of_thread(uint64_t koid) {
  constexpr size_t kMaxRemembered = size_t{1} << 16;
  if (trace_->is_idle(koid)) return false;
  if (options_.selection.threads.empty()) return true;
  const auto known = of_thread_.find(koid);
  if (known != of_thread_.end()) return known->second;
  const bool is_one = options_.selection.has_thread(koid, trace_->name_of(koid));
  if (of_thread_.size() < kMaxRemembered) of_thread_[koid] = is_one;
  return is_one;
}

bool CaseFinder::is_of_lock(uint32_t object) {
  if (options_.lock.empty()) return true;
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

// All but the thread.
bool CaseFinder::is_selected(const Found& found) const {
  const Selection& selection = options_.selection;
  if (found.when.end < stretch_.from || found.when.begin > stretch_.to) return false;
  if (!selection.cpus.empty() && !(found.cpu && selection.has_cpu(*found.cpu))) return false;
  if (!selection.is_by_label()) return true;
  if (found.kind == CaseKind::kLockWait) {
    const ProbeName& label = names_->labels[names_->objects[found.object].label];
    return selection.has_label(label.category, label.name);
  }
  return found.label && selection.has_label(found.label->category, found.label->name);
}

Subject CaseFinder::subject_of(const Found& found) const {
  Subject subject;
  if (found.kind == CaseKind::kLatency) {
    subject.thread = found.thread;
    subject.thread_name = trace_->name_of(found.thread);
  } else if (found.kind == CaseKind::kLockWait) {
    const Keys::Key& key = names_->objects[found.object];
    const ProbeName& label = names_->labels[key.label];
    subject.category = label.category;
    subject.name = label.name;
    subject.object = key.number;
    subject.object_name = trace_->name_of({label, key.number});
    subject.kind = kind_of_wait(label);
  } else if (found.label) {
    subject.category = found.label->category;
    subject.name = found.label->name;
  }
  return subject;
}

bool CaseFinder::is_long_enough(const Longest& longest, const Found& found) const {
  if (most_ == 0 || (longest.heap.size() == most_ && !kRather(found, longest.heap.front())))
    return false;
  return longest.line == nullptr || found.when.length() > longest.longer_than;
}

void CaseFinder::keep(Longest& longest, Found found) const {
  std::vector<Found>& heap = longest.heap;
  if (heap.size() == most_) {
    std::pop_heap(heap.begin(), heap.end(), kRather);
    heap.pop_back();
  }
  heap.push_back(std::move(found));
  std::push_heap(heap.begin(), heap.end(), kRather);
}

void CaseFinder::add(Found found) {
  if (!is_selected(found)) return;
  ++looked_at_;
  for (Longest& longest : longest_) {
    if (longest.line == nullptr) {
      if (longest.kind && *longest.kind != found.kind) continue;
      if (is_long_enough(longest, found)) keep(longest, std::move(found));
      return;
    }
    if (case_kind_of(*longest.line) != found.kind || !is_long_enough(longest, found)) continue;
    if (!selects(*longest.line, subject_of(found))) continue;
    found.budget_line = longest.line->number;
    keep(longest, found);
  }
}

// If it holds the time that is asked for.
void CaseFinder::add_around(Found found) {
  if (at_ && found.when.begin <= *at_ && *at_ < found.when.end) add(std::move(found));
}

std::vector<CaseFinder::Found> CaseFinder::take() {
  while (!off_.empty()) end_off(off_.begin()->first, off_.begin()->second.end);
  std::vector<Found> all;
  for (Longest& longest : longest_) {
    std::sort(longest.heap.begin(), longest.heap.end(), kRather);
    std::move(longest.heap.begin(), longest.heap.end(), std::back_inserter(all));
  }
  return all;
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
  if (!wants(CaseKind::kReady) || what != ThreadTime::kRunnable) return;
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
  if (!wants(CaseKind::kLatency) || !is_of_thread(thread)) return;
  add({CaseKind::kLatency, when, thread, cpu, {}});
}

void CaseFinder::lasted(uint64_t thread, const ProbeName& label, const Extent& when, uint64_t,
                        bool whole) {
  if (!wants(CaseKind::kDuration) || !whole) return;
  if (!options_.slice.empty() && !matches(options_.slice, label.name)) return;
  if (!is_of_thread(thread) || cpu_of_name(trace_->name_of(thread))) return;
  add({CaseKind::kDuration, when, thread, cpu_of(thread), label});
}

void CaseFinder::waited(uint64_t thread, uint32_t object, const Extent& when) {
  History::waited(thread, object, when);
  if (!wants(CaseKind::kLockWait) || !is_of_lock(object) || !is_of_thread(thread)) return;
  add({CaseKind::kLockWait, when, thread, cpu_of(thread), {}, object});
}

void CaseFinder::flowed(uint32_t label, uint64_t first_thread, uint64_t last_thread,
                        const Extent& when, bool) {
  if (!wants(CaseKind::kFlow)) return;
  const ProbeName& name = names_->labels[label];
  if (!options_.flow.empty() && !matches(options_.flow, name.name)) return;
  if (!is_of_thread(first_thread) && !is_of_thread(last_thread)) return;
  add({CaseKind::kFlow, when, last_thread, cpu_of(last_thread), name, 0, first_thread});
}

}  // namespace barefxt::host
