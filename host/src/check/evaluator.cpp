// The parts that evaluators of all forms share.
#include "evaluator.h"

#include <barefxt/host/measures.h>

namespace barefxt::host {

Evaluator::Evaluator(const TraceRule& rule, CheckMoment& now, const Stretch& selected)
    : rule_(rule), now_(now), window_(rule, now.ticks_per_second, selected) {
  verdict_.rule = &rule;
}

std::unique_ptr<Evaluator> Evaluator::make(const TraceRule& rule, CheckMoment& now,
                                           const Stretch& selected) {
  switch (rule.form) {
    case RuleForm::kAfter:
      return make_after(rule, now, selected);
    case RuleForm::kNever:
      return make_never(rule, now, selected);
    case RuleForm::kEvery:
      return make_every(rule, now, selected);
    case RuleForm::kLasts:
      return make_lasts(rule, now, selected);
    case RuleForm::kBetween:
      return make_between(rule, now, selected);
    case RuleForm::kCounter:
      return make_counter(rule, now, selected);
    case RuleForm::kStack:
      return make_stack(rule, now, selected);
    case RuleForm::kFlow:
      return make_flow(rule, now, selected);
    case RuleForm::kOrder:
      return make_order(rule, now, selected);
    case RuleForm::kBudget:
      break;
  }
  return nullptr;
}

void Evaluator::open_window(const Fact& fact) {
  if (window_.open(fact.time)) window_changed(fact.time);
}

void Evaluator::close_window(const Fact& fact) {
  if (!window_.close(fact.time)) return;
  window_closed();
  window_changed(fact.time);
}

void Evaluator::request_settling() {
  if (is_settling_) return;
  is_settling_ = true;
  now_.settling.push_back(this);
}

void Evaluator::settle(uint64_t tick) {
  is_settling_ = false;
  settled(tick);
}

void Evaluator::lose(uint64_t time) {
  window_.lose(time);
  lost(time);
}

void Evaluator::regain(uint64_t time) {
  if (is_losing()) return;
  window_.regain(time);
  regained(time);
}

void Evaluator::set_deadline(uint64_t deadline) {
  if (deadline < deadline_) now_.has_new_deadline = true;
  deadline_ = deadline;
}

long double Evaluator::exact_ticks(const TimeBound& time) const {
  constexpr long double kNanoseconds = 1e9L;
  if (time.in_ticks) return time.value;
  return time.value * static_cast<long double>(now_.ticks_per_second) / kNanoseconds;
}

std::string Evaluator::length_text(uint64_t ticks) const {
  if (now_.ticks_per_second == 0) return counted(ticks, "tick");
  return describe_seconds(static_cast<double>(ticks) / static_cast<double>(now_.ticks_per_second));
}

std::string Evaluator::time_text(uint64_t ticks) const {
  if (now_.ticks_per_second == 0) return counted(ticks, "tick");
  return formatted("{:.9f} s",
                   static_cast<double>(ticks) / static_cast<double>(now_.ticks_per_second));
}

std::string_view symbol_of(BudgetLine::Bound bound) {
  static constexpr std::string_view kSymbols[] = {"<=", "<", ">=", ">", "="};
  return kSymbols[static_cast<size_t>(bound)];
}

}  // namespace barefxt::host
