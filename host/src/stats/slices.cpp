// Stacks of what is open, and sums of what has ended.
#include "slices.h"

namespace barefxt::host {
namespace {

constexpr size_t kMaxCpus = 65536;

void add(DurationStatistics& sum, const Window& window, const Extent& extent, bool whole,
         std::optional<uint64_t> own) {
  if (!whole) {
    ++sum.in_doubt;
    return;
  }
  window.add(sum.total, extent);
  if (own) {
    sum.self += *own;
    ++sum.self_count;
  }
}

}  // namespace

Slices::Thread* Slices::thread_of(uint64_t koid) {
  const uint32_t number = index_.number_of(koid);
  if (number == KoidIndex::kNone) {
    ++statistics_.left_out;
    return nullptr;
  }
  if (number == threads_.size()) {
    Thread& thread = threads_.emplace_back();
    const auto name = statistics_.names.find(koid);
    const auto cpu =
        name == statistics_.names.end() ? std::nullopt : cpu_of_name(name->second.name);
    if (cpu && *cpu < kMaxCpus) {
      thread.cpu = *cpu;
      if (of_cpu_.size() <= *cpu) of_cpu_.resize(*cpu + 1, KoidIndex::kNone);
      of_cpu_[*cpu] = number;
    }
    thread.shown = selection_.has_thread(koid, statistics_.name_of(koid)) &&
                   (!cpu || selection_.has_cpu(*cpu));
  }
  return &threads_[number];
}

bool Slices::in_interrupt(unsigned cpu) const {
  if (cpu >= of_cpu_.size() || of_cpu_[cpu] == KoidIndex::kNone) return false;
  return !threads_[of_cpu_[cpu]].open.empty();
}

size_t Slices::height_of(const Thread& thread, uint32_t label) const {
  if (thread.open.empty()) return 0;
  if (open_.top(thread.open).key == label) return 1;
  // Some writers leave the names out where a duration ends.
  const ProbeName& end = names_.labels[label];
  if (end.name.empty() && end.category.empty()) return 1;
  return open_.height_of(thread.open, label);
}

void Slices::begin(const Moment& moment) {
  Thread* thread = thread_of(moment.a);
  if (thread == nullptr) return;
  std::optional<uint64_t> interrupted;
  if (thread->cpu != kNoCpu) {
    if (thread->open.empty()) interrupted = current_(thread->cpu);
    if (observer_ != nullptr) observer_->interrupt_began(thread->cpu, moment.label, moment.time);
  }
  const Open open{moment.time,
                  moment.offset,
                  moment.label,
                  epoch_of(*thread).number,
                  interrupted.value_or(0),
                  interrupted.has_value(),
                  children_.begin(thread->children, first_child(*thread))};
  if (thread->open.size() < kMaxOpen && open_.push(thread->open, open)) return;
  ++statistics_.left_out;
  open_.clear(thread->open);
}

void Slices::end(const Moment& moment) {
  Thread* thread = thread_of(moment.a);
  if (thread == nullptr) return;
  size_t height = height_of(*thread, moment.label);
  const bool counts = window_.counts(moment.time);
  if (height == 0) {
    statistics_.unmatched_ends += counts ? 1 : 0;
    if (observer_ != nullptr)
      observer_->ended_unbegun(moment.a, thread->cpu, moment.label, moment.time);
    return;
  }
  // Durations begun within it that never ended have no end.
  leave_unended(*thread, height - 1, moment);
  const Open open = open_.top(thread->open);
  open_.pop(thread->open);
  const bool whole = epoch_of(*thread).whole_since(open.epoch);
  close(*thread, moment.a, open, moment, whole, whole);
}

void Slices::cut(const Moment& moment) {
  Thread* thread = thread_of(moment.a);
  if (thread != nullptr) leave_unended(*thread, height_of(*thread, moment.label), moment);
}

void Slices::leave_unended(Thread& thread, size_t count, const Moment& moment) {
  for (; count > 0; --count) {
    const Open& open = open_.top(thread.open);
    if (observer_ != nullptr && thread.cpu != kNoCpu)
      observer_->interrupt_ended(thread.cpu, open.key, {open.begin, moment.time, kNoRecord}, false);
    if (window_.counts(moment.time)) {
      ++statistics_.unmatched_begins;
      if (thread.shown) ++sum_of(open.key).unended;
      observe(moment.a, open, {open.begin, moment.time, kNoRecord}, false);
    }
    open_.pop(thread.open);
  }
}

void Slices::complete(const Moment& moment) {
  Thread* thread = thread_of(moment.a);
  if (thread == nullptr) return;
  // The record holds its length, so losses do not matter for it. They may have taken durations
  // within it.
  const bool self_whole = epoch_.losing == 0 && moment.b >= loss_end_;
  const Open open{moment.b, kNoRecord, moment.label, 0, 0, false, 0};
  close(*thread, moment.a, open, moment, true, self_whole);
}

DurationStatistics& Slices::sum_of(uint32_t label) {
  if (durations_.size() <= label) durations_.resize(names_.labels.size());
  return durations_[label];
}

void Slices::close(Thread& thread, uint64_t koid, const Open& open, const Moment& moment,
                   bool whole, bool self_whole) {
  const Extent extent{open.begin, moment.time, moment.offset};
  const Role role = names_.labels.role(open.key);
  const bool call = role == Role::kCall;
  const Children::Within within = children_.take(thread.children, open.begin, call);
  const Children::Within holds = {.ticks = extent.length(),
                                  .calls = call ? extent.length() : within.calls,
                                  .calls_known = call || within.calls_known};
  children_.add(thread.children, {extent.begin, extent.end, holds}, first_child(thread));
  if (observer_ != nullptr && thread.cpu != kNoCpu)
    observer_->interrupt_ended(thread.cpu, open.key, extent, whole);
  if (!window_.counts(extent.end)) return;
  observe(koid, open, extent, whole);
  std::optional<uint64_t> own;
  const uint64_t others = call ? within.calls : within.ticks;
  const bool known = call ? within.calls_known : within.ticks_known;
  if (self_whole && known && others <= extent.length()) own = extent.length() - others;
  const bool is_complete = moment.kind == MomentKind::kComplete;
  if (thread.cpu != kNoCpu && whole) interrupt(thread, open, extent, own, is_complete);
  if (thread.shown) add(sum_of(open.key), window_, extent, whole, own);
  if (whole && !is_complete && role == Role::kLock) on_wait_(extent, koid, open.key);
}

void Slices::observe(uint64_t koid, const Open& open, const Extent& extent, bool whole) const {
  if (observer_ == nullptr) return;
  observer_->lasted(koid, names_.labels[open.key], extent, open.offset, whole);
}

void Slices::interrupt(Thread& thread, const Open& open, const Extent& extent,
                       std::optional<uint64_t> own, bool is_complete) {
  const ProbeName& label = names_.labels[open.key];
  if (selection_.is_by_label() && !selection_.has_label(label.category, label.name)) return;
  InterruptKey key{thread.cpu, label.name};
  if (!statistics_.interrupts.contains(key) && !room_of_interrupts_.take(key.name.size())) {
    ++statistics_.left_out;
    return;
  }
  InterruptStatistics& sum = statistics_.interrupts[std::move(key)];
  window_.add(sum.length, extent);
  sum.own += own.value_or(0);
  // At the end of a complete duration, the durations around it are unknown.
  if (is_complete) return;
  const uint64_t depth = thread.open.size() + 1;
  sum.deepest = std::max(sum.deepest, depth);
  if (depth > 1) ++sum.nested;
  if (!open.has_interrupted) return;
  const uint64_t longest = sum.kept_off.longest();
  window_.add(sum.kept_off, extent);
  if (sum.kept_off.count() == 1 || sum.kept_off.longest() > longest)
    sum.kept_off_longest = open.interrupted;
}

void Slices::add_unannounced(const Moment& wakeup) {
  if (!window_.counts(wakeup.time)) return;
  InterruptKey key{wakeup.cpu, names_.labels[wakeup.label].name};
  const auto found = statistics_.unannounced_interrupts.find(key);
  if (found != statistics_.unannounced_interrupts.end()) {
    ++found->second;
  } else if (room_of_interrupts_.take(key.name.size())) {
    statistics_.unannounced_interrupts[std::move(key)] = 1;
  } else {
    ++statistics_.left_out;
  }
}

Epoch* Slices::epoch_of(std::optional<unsigned> cpu) {
  if (!cpu) return &of_all_cpus_;
  if (*cpu >= kMaxCpus) return nullptr;
  if (of_each_cpu_.size() <= *cpu) of_each_cpu_.resize(*cpu + 1);
  return &of_each_cpu_[*cpu];
}

void Slices::lose(std::optional<unsigned> cpu) {
  Epoch* epoch = epoch_of(cpu);
  if (epoch == nullptr) return;
  ++epoch->number;
  ++epoch->losing;
}

void Slices::regain(std::optional<unsigned> cpu, uint64_t time) {
  loss_end_ = time;
  Epoch* epoch = epoch_of(cpu);
  if (epoch == nullptr) return;
  ++epoch->number;
  --epoch->losing;
}

void Slices::cut_interrupts(unsigned cpu, uint64_t time) {
  if (cpu >= of_cpu_.size() || of_cpu_[cpu] == KoidIndex::kNone) return;
  Thread& thread = threads_[of_cpu_[cpu]];
  Moment cut{};
  cut.time = time;
  cut.a = index_.koid_of(of_cpu_[cpu]);
  leave_unended(thread, thread.open.size(), cut);
}

void Slices::cut_interrupts(uint64_t time) {
  for (unsigned cpu = 0; cpu < of_cpu_.size(); ++cpu) cut_interrupts(cpu, time);
}

void Slices::finish(uint64_t end) {
  for (size_t number = 0; number < threads_.size(); ++number) {
    const Thread& thread = threads_[number];
    statistics_.unmatched_begins += thread.open.size();
    open_.for_each(thread.open, [&](const Open& open) {
      if (thread.shown) ++sum_of(open.key).unended;
      observe(index_.koid_of(static_cast<uint32_t>(number)), open,
              {open.begin, std::max(open.begin, end), kNoRecord}, false);
    });
  }
  for (size_t label = 0; label < durations_.size(); ++label) {
    DurationStatistics& sum = durations_[label];
    if (sum.total.count() + sum.in_doubt + sum.unended == 0) continue;
    const ProbeName& name = names_.labels[label];
    if (names_.labels.role(static_cast<uint32_t>(label)) == Role::kCall) {
      statistics_.functions.emplace(name.name, std::move(sum));
    } else {
      statistics_.durations.emplace(name, std::move(sum));
    }
  }
}

}  // namespace barefxt::host
