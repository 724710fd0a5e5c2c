// One read of the archive for all rules; what is known ahead, and explanations, take more.
#include <barefxt/host/check.h>
#include <barefxt/host/explain.h>

#include "rule_observer.h"

namespace barefxt::host {
namespace {

// The records that a rule cannot be judged without.
std::string_view missing_for(const TraceRule& rule, const RuleObserver& observer) {
  const auto needs = [&](RuleEventKind kind) -> std::string_view {
    switch (kind) {
      case RuleEventKind::kRuns:
      case RuleEventKind::kStops:
        return observer.judge().has_seen(FactKind::kSwitch) ? "" : "no context switch is recorded";
      case RuleEventKind::kWakes:
        return observer.judge().has_seen(FactKind::kWakeup) ? "" : "no wakeup is recorded";
      case RuleEventKind::kTaken:
      case RuleEventKind::kReleased:
        return observer.judge().has_seen(FactKind::kHold) ? "" : "no hold of a lock is recorded";
      default:
        return "";
    }
  };
  for (const RuleEvent& event : rule.events)
    if (const auto missing = needs(event.kind); !missing.empty()) return missing;
  for (const auto* const state : {&rule.state, &rule.during}) {
    if (!*state) continue;
    const bool is_lock = (*state)->kind == RuleStateKind::kHeld;
    const bool is_run = (*state)->kind == RuleStateKind::kRuns;
    if (!is_lock && !is_run) continue;
    const auto missing = needs(is_lock ? RuleEventKind::kTaken : RuleEventKind::kRuns);
    if (!missing.empty()) return missing;
  }
  return "";
}

// Why a rule without a violation does not hold; empty if it does.
std::string doubt_about(const Evaluator& evaluator, const RuleVerdict& verdict,
                        const RuleObserver& observer, const Statistics& statistics) {
  if (evaluator.hides() || verdict.unknown > 0) {
    std::string text = "records were lost";
    if (const std::optional<Extent>& loss = observer.judge().first_loss())
      append(text, ", first from {:.9f} s to {:.9f} s",
             statistics.seconds(static_cast<double>(loss->begin)),
             statistics.seconds(static_cast<double>(loss->end)));
    if (!evaluator.has_overflown()) return text;
  }
  if (evaluator.has_overflown()) return "more is open at once than is followed";
  if (statistics.left_out > 0) return "records of names beyond the limits were left out";
  if (const auto missing = missing_for(evaluator.rule(), observer); !missing.empty())
    return std::string(missing);
  if (statistics.malformed_bytes > 0) return "a part of the trace is unreadable";
  if (verdict.judged() > 0 || evaluator.rule().form == RuleForm::kNever) return {};
  return verdict.left_out > 0 ? "all that it is about is cut by the trace's begin or end"
                              : "nothing in the trace is about it";
}

RuleVerdict of_budget(const TraceRule& rule, const Statistics& statistics, const std::string& file,
                      Status& status) {
  RuleVerdict verdict;
  verdict.rule = &rule;
  const auto judged = hold_to_budget(statistics, rule.budget, file);
  if (!judged.ok()) {
    status = judged.error();
    return verdict;
  }
  const Verdict& one = judged.value()[0];
  verdict.violated = one.violations.size();
  verdict.kept = one.looked_at > verdict.violated ? one.looked_at - verdict.violated : 0;
  verdict.reason = one.not_judged;
  if (!one.violations.empty()) {
    verdict.outcome = RuleOutcome::kViolated;
    verdict.first = RuleCase{statistics.first, statistics.last, {}, one.violations[0]};
  } else if (!one.not_judged.empty()) {
    verdict.outcome = RuleOutcome::kUnknown;
    verdict.unknown = 1;
  }
  return verdict;
}

// The explanation to ask for of a violation; null: nothing is known to explain it.
std::optional<ExplainOptions> explanation_of(const TraceRule& rule, const RuleCase& first) {
  ExplainOptions how;
  how.worst = 1;
  switch (rule.form) {
    case RuleForm::kLasts:
      if (rule.events[0].kind == RuleEventKind::kIrqBegins) return std::nullopt;
      how.slice = rule.events[0].name;
      break;
    case RuleForm::kFlow:
      how.flow = rule.flow;
      break;
    case RuleForm::kAfter:
      if (rule.events.back().kind != RuleEventKind::kRuns) return std::nullopt;
      how.selection.threads = {rule.events.back().name};
      how.at = TimeBound{true, static_cast<double>(first.end)};
      return how;
    case RuleForm::kBudget:
      how.budget = rule.budget;
      return how;
    default:
      return std::nullopt;
  }
  // The first violation, as far as it is the longest of its time.
  how.selection.from = TimeBound{true, static_cast<double>(first.begin)};
  how.selection.to = TimeBound{true, static_cast<double>(first.end)};
  return how;
}

Status explain_first(Source& source, Form form, RuleVerdict& verdict) {
  if (!verdict.first) return {};
  const auto how = explanation_of(*verdict.rule, *verdict.first);
  if (!how) return {};
  const auto explained = explain(source, form, *how);
  if (!explained.ok()) return explained.error();
  if (explained.value().cases.empty()) return {};
  StringOutput out;
  print_explanation(out, explained.value(), explained.value().cases[0]);
  verdict.explanation = out.take();
  return {};
}

bool has_budget(const std::vector<TraceRule>& rules) {
  return std::ranges::any_of(rules,
                             [](const TraceRule& rule) { return rule.form == RuleForm::kBudget; });
}

}  // namespace

std::string_view name_of(RuleOutcome outcome) {
  static constexpr std::string_view kNames[] = {"holds", "violated", "unknown"};
  return kNames[static_cast<size_t>(outcome)];
}

Result<Checked> check(Source& source, Form form, const std::vector<TraceRule>& rules,
                      const std::string& file, const CheckOptions& options) {
  const Preview seen = preview(source, form, rules);
  RuleObserver observer(rules, options.selection, seen);
  const bool budgets_are_apart = has_budget(rules) && !options.selection.is_all();
  StatisticsOptions how;
  how.sorted_in_memory = options.sorted_in_memory;
  if (has_budget(rules) && !budgets_are_apart) how.precision = Precision::kExact;
  auto collected = collect_statistics(source, form, how, &observer);
  if (!collected.ok()) return collected.error();
  if (!observer.status().ok()) return observer.status().error();
  Checked checked;
  checked.statistics = std::move(collected.value());
  observer.finish(checked.statistics);

  std::optional<Statistics> selected;
  if (budgets_are_apart) {
    how.selection = options.selection;
    how.precision = Precision::kExact;
    auto again = collect_statistics(source, form, how);
    if (!again.ok()) return again.error();
    selected = std::move(again.value());
  }
  const Statistics& of_budgets = selected ? *selected : checked.statistics;
  size_t explained = 0;
  for (size_t i = 0; i < rules.size(); ++i) {
    Evaluator* const evaluator = observer.judge().evaluators()[i].get();
    RuleVerdict& verdict = checked.verdicts.emplace_back();
    Status status;
    if (evaluator == nullptr) {
      verdict = of_budget(rules[i], of_budgets, file, status);
    } else {
      verdict = std::move(evaluator->verdict());
      verdict.reason = doubt_about(*evaluator, verdict, observer, checked.statistics);
      if (verdict.violated > 0)
        verdict.outcome = RuleOutcome::kViolated;
      else if (!verdict.reason.empty())
        verdict.outcome = RuleOutcome::kUnknown;
    }
    if (status.ok() && verdict.violated > 0 && explained < options.explained) {
      status = explain_first(source, form, verdict);
      explained += verdict.explanation.empty() ? 0 : 1;
    }
    if (!status.ok()) return status.error();
  }
  return checked;
}

}  // namespace barefxt::host
