// `every TIME [+- TIME] [offset TIME] EVENT [done within TIME]`.
#include <cmath>

#include "evaluator.h"

namespace barefxt::host {
namespace {

// The times of jobs, in ticks. Bounds are the first and the last tick that keep the rule.
struct Period {
  long double period;
  long double jitter;
  long double offset;

  static uint64_t up(long double ticks) {
    return ticks <= 0 ? 0 : static_cast<uint64_t>(std::min(std::ceil(ticks), kMaxTicks));
  }
  static uint64_t down(long double ticks) {
    return ticks <= 0 ? 0 : static_cast<uint64_t>(std::min(std::floor(ticks), kMaxTicks));
  }
  uint64_t least() const {
    const uint64_t least = up(period - jitter);
    return std::min(least, down(std::round(period)));
  }
  uint64_t most() const {
    const uint64_t most = down(period + jitter);
    return std::max(most, up(std::round(period)));
  }

  static constexpr long double kMaxTicks = 9e18L;
};

class Every : public Evaluator {
 public:
  Every(const TraceRule& rule, CheckMoment& now, const Stretch& selected)
      : Evaluator(rule, now, selected),
        period_{exact_ticks(rule.period), exact_ticks(rule.jitter),
                rule.offset ? exact_ticks(*rule.offset) : 0} {}

  // The job is done: the end of a slice that began at `begin`.
  void measure(uint64_t begin, const Fact& fact, DurationEnd end) override {
    if (!rule_.done_within) return;
    const Known is_of_rule = window_.at(fact.time);
    if (is_of_rule == Known::kNo) return;
    const bool is_open = fact.offset == kNoDeadline;
    if (end == DurationEnd::kMissing) return leave_out();
    const long double due = start_of(begin) + exact_ticks(*rule_.done_within);
    const bool is_late = static_cast<long double>(fact.time) > due;
    if (end == DurationEnd::kInDoubt) return doubt();
    if (!is_late) return is_open ? leave_out() : keep();
    violate(is_of_rule, begin, fact.time, fact.thread, [&] {
      return formatted("slice \"{}\" is {} {} after it began", rule_.events[0].name,
                       is_open ? "not done" : "done only", length_text(fact.time - begin));
    });
  }

 protected:
  virtual long double start_of(uint64_t begin) const { return begin; }

  Period period_;
};

// Each event asks for the next.
class FromLast final : public Every {
 public:
  using Every::Every;

  void happen(size_t, const Fact& fact) override {
    const Known is_of_rule = window_.at(fact.time);
    if (is_of_rule == Known::kNo) return;
    if (has_last_) judge(fact);
    has_last_ = true;
    last_ = fact.time;
    is_last_of_rule_ = is_of_rule;
    may_hide_ = is_losing();
    set_deadline(later(last_, period_.most()));
  }

  void pass(uint64_t now) override {
    if (!has_last_ || deadline() >= now) return;
    const uint64_t due = deadline();
    end_wait();
    if (due >= window_.end()) return leave_out();
    if (may_hide_) return doubt();
    violate(is_last_of_rule_, last_, due, std::nullopt, [&] {
      return formatted("{}, but not again within {}", in_words(rule_.events[0]),
                       length_text(period_.most()));
    });
  }

  void finish(uint64_t last) override {
    pass(last);
    if (has_last_) leave_out();
  }

 private:
  void end_wait() {
    has_last_ = false;
    set_deadline(kNoDeadline);
  }

  void judge(const Fact& fact) {
    const uint64_t gap = fact.time - last_;
    if (gap >= period_.least()) return may_hide_ ? doubt() : keep();
    violate(is_last_of_rule_, last_, fact.time, fact.thread, [&] {
      return formatted("{} {} after the time before", in_words(rule_.events[0]), length_text(gap));
    });
  }

  void lost(uint64_t) override {
    may_hide_ = true;
    // It may close and open again.
    if (rule_.to && rule_.to->event) is_last_of_rule_ = Known::kMaybe;
  }
  // The window ends as the trace does.
  void window_closed() override {
    if (!has_last_) return;
    leave_out();
    end_wait();
  }

  bool has_last_ = false;
  uint64_t last_ = 0;
  Known is_last_of_rule_ = Known::kNo;
  bool may_hide_ = false;  // one in between
};

// Each of the times offset + n x period asks for one event, near it.
class OnGrid final : public Every {
 public:
  using Every::Every;

  void begin(uint64_t first) override {
    const uint64_t from = std::max(first, window_.from());
    next_ = std::max(0.0L, std::ceil((from - period_.offset) / period_.period) - 1);
    while (first_of(next_) < from) ++next_;
    ask();
  }

  void happen(size_t, const Fact& fact) override {
    const Known is_of_rule = window_.at(fact.time);
    if (is_of_rule == Known::kNo) return;
    const long double nearest = std::max(0.0L, std::round(number_at(fact.time)));
    const bool is_near = fact.time >= first_of(nearest) && fact.time <= last_of(nearest);
    const Known seen_before = is_near && nearest == next_ ? seen_ : Known::kYes;
    if (seen_before != Known::kYes) seen_ = is_of_rule;
    if (seen_before == Known::kNo) return;
    if (is_near && nearest < next_) return;  // of a time that the trace's begin cuts
    // It is no second one if the first happened ahead of the window.
    const Known is_wrong = seen_before == Known::kMaybe ? Known::kMaybe : is_of_rule;
    violate(is_wrong, fact.time, fact.time, fact.thread, [&] {
      if (is_near) return in_words(rule_.events[0]) + " twice around one time";
      const auto due = static_cast<uint64_t>(std::max(0.0L, time_of(nearest)));
      const bool is_late = fact.time > due;
      return formatted("{} {} {} its time", in_words(rule_.events[0]),
                       length_text(is_late ? fact.time - due : due - fact.time),
                       is_late ? "after" : "before");
    });
  }

  void pass(uint64_t now) override {
    if (deadline() >= now) return;
    judge(1);
    ++next_;
    seen_ = Known::kNo;
    // No record came within the rest of them.
    const uint64_t end = std::min(now, window_.end());
    long double last = std::floor(number_at(end)) + 1;
    while (last >= next_ && last_of(last) >= end) --last;
    if (last >= next_) judge(last - next_ + 1);
    next_ = std::max(next_, last + 1);
    ask();
  }

  void finish(uint64_t last) override {
    pass(last);
    if (deadline() != kNoDeadline && last >= first_of(next_)) leave_out();
  }

 private:
  long double number_at(uint64_t time) const {
    return (static_cast<long double>(time) - period_.offset) / period_.period;
  }
  long double time_of(long double number) const { return period_.offset + number * period_.period; }
  // A time between two ticks is at both.
  long double slack() const { return std::max(period_.jitter, 0.5L); }
  uint64_t first_of(long double number) const { return Period::up(time_of(number) - slack()); }
  uint64_t last_of(long double number) const { return Period::down(time_of(number) + slack()); }
  long double start_of(uint64_t begin) const override {
    return time_of(std::max(0.0L, std::round(number_at(begin))));
  }

  void ask() {
    const uint64_t due = last_of(next_);
    set_deadline(due < window_.end() ? due : kNoDeadline);
  }

  // `count` times from the next on.
  void judge(long double count) {
    const auto all = static_cast<uint64_t>(std::min(count, Period::kMaxTicks));
    const uint64_t due = deadline();
    const Known is_of_rule = window_.at(last_of(next_));
    if (is_of_rule == Known::kNo) return;
    // A loss may hide its event, or a second one.
    const bool was_lost_then = regained_ && *regained_ >= first_of(next_);
    if (is_losing() || was_lost_then) return doubt(all);
    if (seen_ == Known::kYes) return keep(all);
    if (seen_ == Known::kMaybe || is_of_rule == Known::kMaybe) return doubt(all);
    violate(is_of_rule, first_of(next_), due, std::nullopt, [&] {
      return formatted("around {} it does not happen that {}",
                       time_text(static_cast<uint64_t>(std::max(0.0L, time_of(next_)))),
                       in_words(rule_.events[0]));
    });
    verdict().violated += all - 1;
  }

  void regained(uint64_t time) override { regained_ = time; }

  long double next_ = 0;              // of the times: the one that is not judged yet
  Known seen_ = Known::kNo;           // whether its event happened in the window
  std::optional<uint64_t> regained_;  // when the last loss ended
};

}  // namespace

std::unique_ptr<Evaluator> make_every(const TraceRule& rule, CheckMoment& now,
                                      const Stretch& selected) {
  if (rule.offset) return std::make_unique<OnGrid>(rule, now, selected);
  return std::make_unique<FromLast>(rule, now, selected);
}

}  // namespace barefxt::host
