// `(slice | irq) NAME lasts ...`, `flow NAME end to end ...`, `counter NAME ... always` and
// `stack NAME left ...`.
#include <cmath>

#include "evaluator.h"

namespace barefxt::host {
namespace {

class Lasts final : public Evaluator {
 public:
  Lasts(const TraceRule& rule, CheckMoment& now, const Stretch& selected)
      : Evaluator(rule, now, selected), limit_(exact_ticks(rule.length)) {}

  void measure(uint64_t begin, const Fact& fact, DurationEnd end) override {
    const Known is_of_rule = window_.at(fact.time);
    if (is_of_rule == Known::kNo) return;
    if (end == DurationEnd::kMissing) return leave_out();
    if (end == DurationEnd::kInDoubt) return doubt();
    const bool is_open = fact.offset == kNoDeadline;
    const bool is_kept = keeps_bound(fact.time - begin, rule_.bound, limit_);
    const bool is_upper =
        rule_.bound == BudgetLine::Bound::kAtMost || rule_.bound == BudgetLine::Bound::kLess;
    if (is_open && (is_kept || !is_upper)) return leave_out();
    if (is_kept) return keep();
    violate(is_of_rule, begin, fact.time, fact.thread, [&] {
      return formatted("{} \"{}\" lasts {}{}",
                       rule_.events[0].kind == RuleEventKind::kIrqBegins ? "interrupt" : "slice",
                       rule_.events[0].name, length_text(fact.time - begin),
                       is_open ? " and has not ended" : "");
    });
  }

 private:
  long double limit_;
};

class FlowLength final : public Evaluator {
 public:
  FlowLength(const TraceRule& rule, CheckMoment& now, const Stretch& selected)
      : Evaluator(rule, now, selected), limit_(exact_ticks(rule.length)) {}

  void measure(uint64_t begin, const Fact& fact, DurationEnd end) override {
    const Known is_of_rule = window_.at(fact.time);
    if (is_of_rule == Known::kNo) return;
    if (end != DurationEnd::kWhole || (is_of_rule == Known::kMaybe && is_share())) return doubt();
    const bool is_kept = keeps_bound(fact.time - begin, rule_.bound, limit_);
    if (!is_share() && is_kept) return keep();
    const auto text = [&] {
      return formatted("flow \"{}\" takes {}", rule_.flow, length_text(fact.time - begin));
    };
    if (!is_share()) return violate(is_of_rule, begin, fact.time, fact.thread, text);
    ++(is_kept ? good_ : bad_);
    if (!is_kept && !worst_) worst_ = RuleCase{begin, fact.time, fact.thread, {}};
  }

  void finish(uint64_t) override {
    if (!is_share() || good_ + bad_ == 0) return;
    // The nearest rank.
    constexpr long double kScale = 1e6L;
    const auto share = static_cast<unsigned __int128>(std::llround(rule_.percentile * kScale));
    const auto whole = static_cast<unsigned __int128>(100 * kScale);
    const uint64_t all = good_ + bad_;
    const auto needed = static_cast<uint64_t>((share * all + whole - 1) / whole);
    // Lost flows may be short ones.
    if (verdict().unknown > 0 || hides()) return doubt();
    if (good_ >= needed || !worst_) return keep();
    violate(Known::kYes, worst_->begin, worst_->end, worst_->thread, [&] {
      return formatted("{} of {} flows \"{}\" are not {} the limit, {} would have to be", bad_, all,
                       rule_.flow, symbol_of(rule_.bound), needed);
    });
  }

 private:
  bool is_share() const { return rule_.percentile < 100; }

  long double limit_;
  uint64_t good_ = 0;
  uint64_t bad_ = 0;
  std::optional<RuleCase> worst_;
};

class CounterValue final : public Evaluator {
 public:
  using Evaluator::Evaluator;

  void sample(long double value, const Fact& fact) override {
    const Known is_of_rule = window_.at(fact.time);
    if (is_of_rule == Known::kNo) return;
    if (keeps_bound(value, rule_.bound, rule_.value)) return keep();
    violate(is_of_rule, fact.time, fact.time, std::nullopt, [&] {
      return formatted("counter \"{}\" is {:.10g}", rule_.counter, static_cast<double>(value));
    });
  }
};

class StackLeft final : public Evaluator {
 public:
  using Evaluator::Evaluator;

  void sample(long double value, const Fact& fact) override {
    const Known is_of_rule = window_.at(fact.time);
    if (is_of_rule == Known::kNo) return;
    if (keeps_bound(value, rule_.bound, rule_.value)) return keep();
    violate(is_of_rule, fact.time, fact.time, fact.thread, [&] {
      return formatted("stack \"{}\" has {:.10g} bytes left", rule_.counter,
                       static_cast<double>(value));
    });
  }
};

}  // namespace

std::unique_ptr<Evaluator> make_lasts(const TraceRule& rule, CheckMoment& now,
                                      const Stretch& selected) {
  return std::make_unique<Lasts>(rule, now, selected);
}
std::unique_ptr<Evaluator> make_flow(const TraceRule& rule, CheckMoment& now,
                                     const Stretch& selected) {
  return std::make_unique<FlowLength>(rule, now, selected);
}
std::unique_ptr<Evaluator> make_counter(const TraceRule& rule, CheckMoment& now,
                                        const Stretch& selected) {
  return std::make_unique<CounterValue>(rule, now, selected);
}
std::unique_ptr<Evaluator> make_stack(const TraceRule& rule, CheckMoment& now,
                                      const Stretch& selected) {
  return std::make_unique<StackLeft>(rule, now, selected);
}

}  // namespace barefxt::host
