// The sweep backwards: one stretch after another in which nothing changes.
#include "partition.h"

#include <algorithm>
#include <utility>

namespace barefxt::host {
namespace {

class Sums {
 public:
  void add(const TickCause& cause, uint64_t begin, uint64_t end) {
    const size_t at = number_of(cause);
    Sum& sum = sums_[at];
    sum.ticks += end - begin;
    const bool goes_on = last_ == at && last_begin_ == end;
    sum.times += goes_on ? 0 : 1;
    current_ = (goes_on ? current_ : 0) + (end - begin);
    sum.longest = std::max(sum.longest, current_);
    last_ = at;
    last_begin_ = begin;
    if (goes_on && !stretches_.empty() && left_out_ == 0) {
      stretches_.back().begin = begin;
    } else if (stretches_.size() < kMaxStretches) {
      stretches_.push_back({begin, end, at});
    } else if (!goes_on) {
      ++left_out_;
    }
  }

  void finish(Explanation& one, const Judge& judge) {
    std::vector<size_t> order(sums_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return std::pair(sums_[b].ticks, a) < std::pair(sums_[a].ticks, b);
    });
    std::vector<size_t> place(sums_.size());
    for (size_t i = 0; i < order.size(); ++i) {
      const Sum& sum = sums_[order[i]];
      place[order[i]] = i;
      one.parts.push_back({judge.named(sum.cause), sum.ticks, sum.times, sum.longest});
    }
    std::reverse(stretches_.begin(), stretches_.end());
    for (CauseStretch& stretch : stretches_) stretch.part = place[stretch.part];
    one.stretches = std::move(stretches_);
    one.stretches_left_out = left_out_;
  }

 private:
  struct Sum {
    TickCause cause;
    uint64_t ticks = 0;
    uint64_t times = 0;
    uint64_t longest = 0;
  };

  size_t number_of(const TickCause& cause) {
    if (last_ < sums_.size() && sums_[last_].cause == cause) return last_;
    for (size_t i = 0; i < sums_.size(); ++i)
      if (sums_[i].cause == cause) return i;
    if (sums_.size() >= kMaxParts) {
      TickCause joined;
      joined.kind = cause.kind;
      joined.reason = cause.reason;
      if (joined != cause) return number_of(joined);
    }
    sums_.push_back({cause});
    return sums_.size() - 1;
  }

  std::vector<Sum> sums_;
  std::vector<CauseStretch> stretches_;
  uint64_t left_out_ = 0;
  size_t last_ = ~size_t{0};
  uint64_t last_begin_ = 0;
  uint64_t current_ = 0;
};

// The thread that woke a blocked one at this time; null if another thing did, or it is not known.
std::optional<uint64_t> woken_by(uint64_t koid, uint64_t time, const History& history,
                                 const Judge& judge) {
  const History::Thread* const thread = history.thread(koid);
  const uint32_t at = thread == nullptr ? kNoStep : history.steps().find(thread->wakeups, time);
  if (at == kNoStep || history.steps()[at].time != time) return std::nullopt;
  const Judge::WakerOf waker = judge.waker_of(history.steps()[at]);
  return waker.thread == koid ? std::nullopt : waker.thread;
}

void add_to_path(Explanation& one, uint64_t thread, uint64_t begin, uint64_t end) {
  if (!one.path.empty() && one.path.back().thread == thread) {
    one.path.back().begin = begin;
  } else if (one.path.size() < kMaxStretches) {
    one.path.push_back({begin, end, thread});
  }
}

}  // namespace

void part(Explanation& one, const History& history, const Judge& judge, uint64_t first_thread) {
  constexpr unsigned kMaxHopsAtOnce = 64;
  const bool is_flow = one.kind == CaseKind::kFlow;
  Sums sums;
  uint64_t thread = one.thread;
  uint64_t time = one.end;
  unsigned hops = 0;
  while (time > one.begin) {
    Judge::Verdict verdict = judge.at(thread, time - 1);
    if (is_flow && verdict.is_blocked && hops < kMaxHopsAtOnce) {
      if (const auto waker = woken_by(thread, time, history, judge)) {
        thread = *waker;
        ++hops;
        continue;
      }
    }
    hops = 0;
    const bool is_own =
        verdict.cause.kind == CauseKind::kRunning || verdict.cause.kind == CauseKind::kBlocked;
    if (is_flow && is_own) verdict.cause.thread = thread;
    const uint64_t begin = std::max(std::min(verdict.since, time - 1), one.begin);
    sums.add(verdict.cause, begin, time);
    if (is_flow) add_to_path(one, thread, begin, time);
    time = begin;
  }
  sums.finish(one, judge);
  std::reverse(one.path.begin(), one.path.end());
  one.path_is_whole = is_flow && thread == first_thread;
}

}  // namespace barefxt::host
