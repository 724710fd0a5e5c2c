// Releases, ends and deadlines.
#include "jobs.h"

#include <algorithm>

#include <barefxt/fxt/scheduling.h>

#include "selection.h"

namespace barefxt::host {
namespace {

constexpr uint64_t kNanosecond = 1'000'000'000;
constexpr uint32_t kWakeupLabel = ~uint32_t{0};

uint64_t ticks_of(uint64_t nanoseconds, uint64_t ticks_per_second) {
  const auto wide = static_cast<unsigned __int128>(nanoseconds) * ticks_per_second / kNanosecond;
  return static_cast<uint64_t>(wide);
}

bool stops_running(uint8_t state) {
  const auto left_as = static_cast<fxt::ThreadState>(state);
  return left_as != fxt::ThreadState::kNew && left_as != fxt::ThreadState::kRunning;
}

bool ends(uint8_t state) {
  const auto left_as = static_cast<fxt::ThreadState>(state);
  return left_as == fxt::ThreadState::kDying || left_as == fxt::ThreadState::kDead;
}

}  // namespace

Jobs::Thread* Jobs::thread_of(uint64_t koid) {
  const uint32_t number = index_.number_of(koid);
  if (number == KoidIndex::kNone) {
    ++statistics_.left_out;
    return nullptr;
  }
  if (number == threads_.size()) {
    Thread& thread = threads_.emplace_back();
    for (const ThreadDeadline& one : deadlines_) {
      if (matches(one.thread, statistics_.name_of(koid)) || one.thread == std::to_string(koid))
        thread.deadline_ns = one.nanoseconds;
    }
  }
  return &threads_[number];
}

// While records are being lost nothing is known; at the first moment behind it the epoch is
// another.
void Jobs::know(Thread& thread, State state, Release release) {
  if (!is_known(thread)) thread.switched = false;
  thread.state = state;
  thread.release = release;
  thread.epoch = epoch_.number;
}

std::optional<uint32_t> Jobs::kind_of(uint64_t koid, uint32_t label, JobSource source) {
  const uint64_t key = uint64_t{index_.find(koid)} << 32 | label;
  const auto found = kind_numbers_.find(key);
  if (found != kind_numbers_.end()) return found->second;
  const std::string name = source == JobSource::kWakeups ? "wakeup" : names_.labels[label].name;
  if (!room_.take(name.size())) {
    ++statistics_.left_out;
    return std::nullopt;
  }
  const auto number = static_cast<uint32_t>(kinds_.size());
  kind_numbers_.emplace(key, number);
  JobKey key_of_sum{koid, name, source};
  JobStatistics* const sum = &statistics_.jobs[key_of_sum];
  kinds_.push_back({.sum = sum, .key = std::move(key_of_sum)});
  return number;
}

bool Jobs::is_late(const Open& job, uint64_t time) const {
  return static_cast<unsigned __int128>(time - job.release) * kNanosecond >
         static_cast<unsigned __int128>(job.deadline_ns) * statistics_.ticks_per_second;
}

void Jobs::open(Thread& thread, const Open& job, uint64_t offset) {
  if (thread.open.size() >= kMaxOpen) {
    ++statistics_.left_out;
    return;
  }
  Kind& kind = kinds_[job.kind];
  if (!job.in_doubt) {
    if (kind.has_last && epoch_.whole_since(kind.last_epoch) && kind.last_release <= job.release)
      window_.add(kind.sum->interval, {kind.last_release, job.release, offset});
    kind.last_release = job.release;
    kind.last_epoch = epoch_.number;
  }
  kind.has_last = !job.in_doubt;
  kind.sum->period_ns = job.period_ns;
  kind.sum->deadline_ns = job.deadline_ns;
  thread.open.push_back(job);
}

void Jobs::close(const Open& job, const Moment& moment, bool in_doubt) {
  if (!window_.counts(moment.time)) return;
  JobStatistics& sum = *kinds_[job.kind].sum;
  if (in_doubt || job.in_doubt || !epoch_.whole_since(job.epoch)) {
    ++sum.in_doubt;
    return;
  }
  sum.response.add({job.release, moment.time, moment.offset}, window_.precision);
  if (job.deadline_ns == 0) {
    ++sum.without_deadline;
  } else {
    ++(is_late(job, moment.time) ? sum.late : sum.on_time);
  }
}

template <typename Is, typename End>
void Jobs::take(Thread& thread, const Is& is, const End& end) {
  size_t kept = 0;
  for (const Open& job : thread.open) {
    if (is(job)) {
      end(job);
    } else {
      thread.open[kept++] = job;
    }
  }
  thread.open.resize(kept);
}

void Jobs::judge_open(const Open& job, uint64_t time, bool is_abandoned) {
  JobStatistics& sum = *kinds_[job.kind].sum;
  if (job.in_doubt || !epoch_.whole_since(job.epoch)) {
    ++sum.in_doubt;
  } else if (job.deadline_ns != 0 && is_late(job, time)) {
    ++sum.late;
    ++sum.overdue;
    sum.overdue_ticks = std::max(sum.overdue_ticks, time - job.release);
  } else {
    ++(is_abandoned ? sum.in_doubt : sum.not_due);
  }
}

template <typename Is>
void Jobs::abandon(Thread& thread, const Moment& moment, const Is& is) {
  take(thread, is, [&](const Open& job) {
    if (window_.counts(moment.time)) judge_open(job, moment.time, true);
  });
}

void Jobs::activate(Thread& thread, const Moment& moment, uint64_t koid, bool in_doubt) {
  // One that is open although the thread was not known to be awake is in doubt.
  const bool is_open = std::any_of(thread.open.begin(), thread.open.end(),
                                   [](const Open& job) { return job.of_wakeup; });
  if (!thread.deadline_ns || is_open) return;
  const auto kind = kind_of(koid, kWakeupLabel, JobSource::kWakeups);
  if (!kind) return;
  open(thread,
       {.kind = *kind,
        .release = moment.time,
        .period_ns = 0,
        .deadline_ns = *thread.deadline_ns,
        .epoch = epoch_.number,
        .in_doubt = in_doubt,
        .until_blocked = true,
        .of_wakeup = true},
       moment.offset);
}

void Jobs::change(const Moment& moment) {
  Thread* out = thread_of(moment.a);
  if (out != nullptr) {
    if (stops_running(moment.state)) {
      take(
          *out, [](const Open& job) { return job.until_blocked; },
          [&](const Open& job) { close(job, moment, false); });
      if (ends(moment.state)) abandon(*out, moment, [](const Open&) { return true; });
      know(*out, State::kBlocked, Release::kNone);
    } else if (!is_known(*out)) {
      know(*out, State::kAwake, Release::kUnknown);
    }
    out->switched = true;
  }
  Thread* in = thread_of(moment.b);
  if (in == nullptr) return;
  const bool was_awake = is_known(*in) && in->state == State::kAwake;
  if (!was_awake) {
    // Its wakeup is missing: lost, before the trace, or its kernel records none.
    const bool is_first = is_known(*in) && in->state == State::kUnseen;
    know(*in, State::kAwake, is_first ? Release::kNone : Release::kUnknown);
    activate(*in, moment, moment.b, true);
  }
  in->switched = true;
}

void Jobs::wake(const Moment& moment) {
  Thread* thread = thread_of(moment.a);
  if (thread == nullptr) return;
  const bool known = is_known(*thread);
  if (known && thread->state == State::kAwake) return;
  know(*thread, State::kAwake, known ? Release::kWakeup : Release::kUnknown);
  thread->woken = moment.time;
  activate(*thread, moment, moment.a, !known);
}

void Jobs::find_release(const Thread& thread, const Moment& moment, Open& job) const {
  if ((moment.state & kJobOverran) != 0) {
    const Kind& kind = kinds_[job.kind];
    job.in_doubt = !kind.has_last || !epoch_.whole_since(kind.last_epoch);
    const uint64_t period = ticks_of(job.period_ns, statistics_.ticks_per_second);
    job.release = std::min(moment.time, kind.last_release + period);
    return;
  }
  // One that blocks within a job is woken for that one.
  const bool within_another = std::any_of(thread.open.begin(), thread.open.end(),
                                          [](const Open& one) { return !one.until_blocked; });
  job.release = moment.time;
  job.in_doubt = !is_known(thread);
  if (within_another) return;
  job.in_doubt = job.in_doubt || thread.release == Release::kUnknown;
  if (thread.release == Release::kWakeup) job.release = thread.woken;
}

void Jobs::begin(const Moment& moment) {
  Thread* thread = thread_of(moment.a);
  if (thread == nullptr) return;
  const JobTerms terms = names_.terms(moment.label);
  const auto kind = kind_of(moment.a, terms.label, JobSource::kRecorded);
  if (!kind) return;
  Open job{.kind = *kind,
           .release = 0,
           .period_ns = terms.period_ns,
           .deadline_ns = terms.deadline_ns == 0 ? terms.period_ns : terms.deadline_ns,
           .epoch = epoch_.number,
           .in_doubt = false,
           .until_blocked = (moment.state & kJobUntilBlocked) != 0,
           .of_wakeup = false};
  // It is unknown if a job that was open before a loss still is.
  bool may_be_within = false;
  abandon(*thread, moment, [&](const Open& one) {
    const bool is_lost = !one.of_wakeup && !epoch_.whole_since(one.epoch);
    may_be_within = may_be_within || (is_lost && one.kind != job.kind);
    return is_lost;
  });
  find_release(*thread, moment, job);
  job.in_doubt = job.in_doubt || may_be_within;
  // The next one ends it, too; but without a switch that shows it, the thread may have blocked
  // before.
  if (job.until_blocked) {
    take(
        *thread, [](const Open& one) { return one.until_blocked && !one.of_wakeup; },
        [&](const Open& one) { close(one, moment, !thread->switched); });
  }
  abandon(*thread, moment, [&](const Open& one) { return one.kind == job.kind; });
  open(*thread, job, moment.offset);
  know(*thread, State::kAwake, Release::kNone);
}

void Jobs::end(const Moment& moment) {
  Thread* thread = thread_of(moment.a);
  if (thread == nullptr) return;
  const uint64_t key = uint64_t{index_.find(moment.a)} << 32 | moment.label;
  const auto kind = kind_numbers_.find(key);
  const auto is_this = [&](const Open& one) {
    return kind != kind_numbers_.end() && one.kind == kind->second;
  };
  if ((moment.state & kJobAbandoned) != 0) return abandon(*thread, moment, is_this);
  take(*thread, is_this, [&](const Open& one) { close(one, moment, false); });
  know(*thread, State::kAwake, Release::kNone);
}

void Jobs::find_sums_anew() {
  for (Kind& kind : kinds_) kind.sum = &statistics_.jobs[kind.key];
}

void Jobs::finish(uint64_t end) {
  for (const Thread& thread : threads_)
    for (const Open& job : thread.open) judge_open(job, std::max(end, job.release), false);
  // Nothing is known of a job that only began, and ended outside of the stretch.
  std::erase_if(statistics_.jobs, [](const auto& one) {
    const JobStatistics& sum = one.second;
    return sum.response.count() + sum.judged() + sum.not_due + sum.in_doubt == 0;
  });
}

}  // namespace barefxt::host
