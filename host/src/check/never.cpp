// `never (EVENT | STATE) [while STATE]`.
#include "evaluator.h"

namespace barefxt::host {
namespace {

class NeverEvent final : public Evaluator {
 public:
  using Evaluator::Evaluator;

  void happen(size_t, const Fact& fact) override {
    const Known is_of_rule = window_.at(fact.time);
    if (is_of_rule == Known::kNo) return;
    if (!rule_.during)
      return violate(is_of_rule, fact.time, fact.time, thread_of(fact),
                     [&] { return in_words(rule_.events[0]); });
    if (happened_ + may_have_ == 0) first_ = fact;
    if (is_of_rule == Known::kYes && happened_ == 0) first_ = fact;
    ++(is_of_rule == Known::kYes ? happened_ : may_have_);
    request_settling();
  }
  void finish(uint64_t) override { leave_out(happened_ + may_have_); }

 private:
  static uint64_t thread_of(const Fact& fact) {
    return fact.kind == FactKind::kSwitch && fact.state != 0 ? fact.other : fact.thread;
  }

  void settled(uint64_t tick) override {
    const uint64_t all = happened_ + may_have_;
    switch (state(0)) {
      case Lasting::kYes:
        for (; happened_ > 0; --happened_)
          violate(Known::kYes, first_.time, tick, thread_of(first_),
                  [&] { return in_words(rule_.events[0]) + " while " + in_words(*rule_.during); });
        doubt(may_have_);
        break;
      case Lasting::kNo:
        keep(all);
        break;
      case Lasting::kUnknown:
        doubt(all);
        break;
      case Lasting::kUnseen:
        leave_out(all);
        break;
    }
    happened_ = may_have_ = 0;
  }

  Fact first_{};
  uint64_t happened_ = 0;
  uint64_t may_have_ = 0;  // if the window is open
};

class NeverState final : public Evaluator {
 public:
  NeverState(const TraceRule& rule, CheckMoment& now, const Stretch& selected)
      : Evaluator(rule, now, selected) {
    watch_window();
  }

  void pass(uint64_t now) override {
    // Between records states are those of the last tick that had any.
    const uint64_t edge = deadline() + 1;
    watch_window(edge);
    if (now > edge)
      judge(edge);
    else
      request_settling();
  }

 private:
  void watch_window(uint64_t now = 0) {
    set_deadline(now < window_.from() ? window_.from() - 1 : kNoDeadline);
  }

  void settled(uint64_t tick) override { judge(tick); }
  void window_changed(uint64_t) override { request_settling(); }
  // The window may be open from here on.
  void lost(uint64_t) override { request_settling(); }

  void judge(uint64_t tick) {
    const Lasting what = state(0);
    const Lasting during = rule_.during ? state(1) : Lasting::kYes;
    const Known in_window = window_.at(tick);
    const bool may_be = what == Lasting::kYes || what == Lasting::kUnknown;
    if (!may_be || during == Lasting::kNo || in_window == Known::kNo) {
      const bool is_kept = what == Lasting::kYes && in_window != Known::kNo;
      if (is_kept && was_ == During::kNothing) keep();
      was_ = is_kept ? During::kKept : During::kNothing;
      return;
    }
    const bool is_sure = what == Lasting::kYes && in_window == Known::kYes;
    During is = is_sure && during == Lasting::kYes ? During::kViolated : During::kUnknown;
    if (during == Lasting::kUnseen) is = During::kUnseen;
    if (is == was_) return;
    const bool begins = was_ == During::kNothing;
    was_ = is;
    if (is == During::kViolated)
      return violate(Known::kYes, tick, tick, std::nullopt, [&] {
        return in_words(*rule_.state) +
               (rule_.during ? " while " + in_words(*rule_.during) : std::string());
      });
    if (is == During::kUnknown) return doubt();
    if (begins) leave_out();
  }

  enum class During : uint8_t { kNothing, kKept, kUnseen, kUnknown, kViolated };
  During was_ = During::kNothing;
};

}  // namespace

std::unique_ptr<Evaluator> make_never(const TraceRule& rule, CheckMoment& now,
                                      const Stretch& selected) {
  if (rule.state) return std::make_unique<NeverState>(rule, now, selected);
  return std::make_unique<NeverEvent>(rule, now, selected);
}

}  // namespace barefxt::host
