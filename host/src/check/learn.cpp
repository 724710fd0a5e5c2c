// Measures that suggest rules, the rules, and the verdicts of all traces on them.
#include <algorithm>
#include <cmath>

#include <barefxt/host/formatted.h>
#include <barefxt/host/learn.h>
#include <barefxt/host/safe_text.h>
#include <barefxt/host/stacks.h>

#include "decimal.h"
#include "recurrence.h"

namespace barefxt::host {
namespace {

constexpr int kDigitsOfBound = 2;
constexpr int kDigitsShown = 4;
constexpr int kMinExponentOfReal = -18;

std::string shown_time(long double nanoseconds) {
  return time_text(rounded(nanoseconds, kDigitsShown, Rounding::kNearest));
}

std::string shown_value(long double value, bool is_whole) {
  const Decimal size = rounded(std::fabs(value), is_whole ? 20 : kDigitsShown, Rounding::kNearest,
                               is_whole ? 0 : kMinExponentOfReal);
  return (value < 0 ? "-" : "") + size.text();
}

LearnedSet evidence_in(const Statistics& statistics) {
  LearnedSet all;
  const auto add = [&](const Learned& what, const Distribution& lengths) {
    if (lengths.count() == 0) return;
    const auto nanoseconds = [&](uint64_t ticks) {
      return static_cast<long double>(ticks) * 1e9L /
             static_cast<long double>(statistics.ticks_per_second);
    };
    Evidence evidence;
    evidence.cases = lengths.count();
    evidence.least = nanoseconds(lengths.shortest());
    // A length of no tick is one that the clock does not show.
    evidence.most = nanoseconds(std::max<uint64_t>(lengths.longest(), 1));
    all[what].add(evidence);
  };
  for (const auto& [label, duration] : statistics.durations)
    add({LearnedKind::kSliceLength, label.name}, duration.total);
  for (const auto& [key, interrupt] : statistics.interrupts)
    add({LearnedKind::kIrqLength, key.name}, interrupt.length);
  for (const auto& [label, flow] : statistics.flows)
    add({LearnedKind::kFlow, label.name}, flow.end_to_end);
  for (const auto& [koid, thread] : statistics.threads)
    if (statistics.names.contains(koid) && !statistics.is_idle(koid))
      add({LearnedKind::kLatency, statistics.name_of(koid)}, thread.latency);
  for (const auto& [key, counter] : statistics.counters) {
    // A mark that only goes down suggests no bound.
    if (counter.samples == 0 || is_stack(key.label.category, key.label.name)) continue;
    Evidence evidence;
    evidence.cases = counter.samples;
    evidence.is_whole = !counter.real;
    const auto value = [&evidence](__int128 whole, double real) {
      return evidence.is_whole ? static_cast<long double>(whole) : static_cast<long double>(real);
    };
    evidence.least = value(counter.least, counter.least_real);
    evidence.most = value(counter.most, counter.most_real);
    const long double last = value(counter.last, counter.last_real);
    evidence.last_is_most = last == evidence.most;
    evidence.last_is_least = last == evidence.least;
    all[{LearnedKind::kCounter, key.label.name, key.argument}].add(evidence);
  }
  return all;
}

}  // namespace

void Evidence::add(const Evidence& other) {
  least = cases == 0 ? other.least : std::min(least, other.least);
  most = cases == 0 ? other.most : std::max(most, other.most);
  cases += other.cases;
  traces_without_loss += other.traces_without_loss;
  last_is_most = last_is_most && other.last_is_most;
  last_is_least = last_is_least && other.last_is_least;
  is_whole = is_whole && other.is_whole;
}

Result<Statistics> Learner::see(Source& source, Form form) {
  Recurrence recurrence;
  StatisticsOptions how;
  how.sorted_in_memory = options_.sorted_in_memory;
  auto collected = collect_statistics(source, form, how, &recurrence);
  if (!collected.ok()) return collected.error();
  const Statistics& statistics = collected.value();
  LearnedSet here = evidence_in(statistics);
  recurrence.add_to(here, statistics.ticks_per_second);
  ++traces_;
  traces_without_loss_ += statistics.is_whole() ? 1 : 0;
  for (auto& [what, evidence] : here) {
    if (learned_.size() == kMaxLearned && !learned_.contains(what)) continue;
    evidence.traces_without_loss = statistics.is_whole() ? 1 : 0;
    learned_[what].add(evidence);
  }
  return collected;
}

void Learner::add_candidate(std::string rule, std::string extreme, uint64_t cases) {
  // Text of a trace may be none that a rule can have.
  if (safe_text(rule) != rule || !parse_rules(rule, {}).ok()) return;
  candidates_.push_back({std::move(rule), std::move(extreme), cases});
}

void Learner::add_bounds_of(const Learned& what, const Evidence& evidence) {
  const long double beyond = evidence.most * (100 + options_.margin) / 100;
  const std::string bound = time_text(rounded(beyond, kDigitsOfBound, Rounding::kUp));
  const std::string name = rule_name(what.name);
  std::string rule;
  switch (what.kind) {
    case LearnedKind::kIrqLength:
      rule = formatted("irq {} lasts <= {}", name, bound);
      break;
    case LearnedKind::kLatency:
      rule = formatted("after thread {} wakes within {} thread {} runs", name, bound, name);
      break;
    case LearnedKind::kFlow:
      rule = formatted("flow {} end to end <= {}", name, bound);
      break;
    case LearnedKind::kHold:
      rule = formatted("after lock {} taken within {} lock {} released", name, bound, name);
      break;
    default:
      rule = formatted("slice {} lasts <= {}", name, bound);
  }
  add_candidate(std::move(rule), ", longest " + shown_time(evidence.most), evidence.cases);
}

void Learner::add_period_of(const Learned& what, const Evidence& evidence) {
  // The shortest number near the middle of what was seen.
  constexpr int kMaxDigits = 6;
  constexpr int kPerMille = 1000;
  const long double middle = (evidence.least + evidence.most) / 2;
  const long double near = std::max((evidence.most - evidence.least) / 4, middle / kPerMille);
  Decimal period;
  for (int digits = 1; digits <= kMaxDigits; ++digits) {
    period = rounded(middle, digits, Rounding::kNearest);
    if (std::fabs(period.value() - middle) <= near) break;
  }
  const long double apart =
      std::max(evidence.most - period.value(), period.value() - evidence.least);
  const Decimal jitter =
      rounded(std::max(apart * (100 + options_.margin) / 100, period.value() / 100), kDigitsOfBound,
              Rounding::kUp);
  // Else it is no period.
  constexpr int kMinPeriods = 4;
  if (jitter.value() * kMinPeriods > period.value()) return;
  const std::string name = rule_name(what.name);
  const std::string event = what.kind == LearnedKind::kSlicePeriod ? "slice " + name
                            : what.kind == LearnedKind::kIrqPeriod ? "irq " + name
                            : what.kind == LearnedKind::kWakeupPeriod
                                ? formatted("thread {} wakes", name)
                                : name;
  add_candidate(
      formatted("every {} +-{} {}", time_text(period), time_text(jitter), event),
      formatted(", from {} to {} apart", shown_time(evidence.least), shown_time(evidence.most)),
      evidence.cases);
}

void Learner::add_counter(const Learned& what, const Evidence& evidence) {
  std::string rule = "counter " + rule_name(what.name);
  if (!what.second.empty()) rule += " " + rule_name(what.second);
  const bool is_constant = evidence.least == evidence.most;
  const int least_exponent = evidence.is_whole ? 0 : kMinExponentOfReal;
  const auto add = [&](const char* symbol, long double bound, Rounding rounding,
                       const char* extreme, long double value) {
    const Decimal limit = rounded(bound, kDigitsOfBound, rounding, least_exponent);
    add_candidate(formatted("{} {} {} always", rule, symbol, limit.text()),
                  formatted(", {} {}", extreme, shown_value(value, evidence.is_whole)),
                  evidence.cases);
  };
  // A sum that grows with the trace has no bound.
  if (!evidence.last_is_most || is_constant)
    add("<=", evidence.most * (100 + options_.margin) / 100, Rounding::kUp, "most", evidence.most);
  const int rest = 100 - static_cast<int>(std::min(options_.margin, 100u));
  const long double least = evidence.least * rest / 100;
  const bool is_above_0 =
      evidence.least > 0 &&
      rounded(least, kDigitsOfBound, Rounding::kDown, least_exponent).mantissa > 0;
  if (is_above_0 && (!evidence.last_is_least || is_constant))
    add(">=", least, Rounding::kDown, "least", evidence.least);
}

void Learner::propose() {
  has_proposed_ = true;
  for (const auto& [what, evidence] : learned_) {
    if (evidence.cases < kMinCases || evidence.traces_without_loss < traces_without_loss_) continue;
    // Interrupts count as durations, too, and have a rule of their own.
    const auto interrupts = learned_.find({LearnedKind::kIrqLength, what.name});
    if (what.kind == LearnedKind::kSliceLength && interrupts != learned_.end() &&
        interrupts->second.cases == evidence.cases)
      continue;
    if (what.kind == LearnedKind::kOrder)
      add_candidate(formatted("order {} {} per thread", what.name, what.second), {},
                    evidence.cases);
    else if (what.kind == LearnedKind::kCounter)
      add_counter(what, evidence);
    else if (what.kind < LearnedKind::kCounter)
      add_bounds_of(what, evidence);
    else
      add_period_of(what, evidence);
  }
  std::ranges::stable_sort(candidates_, std::ranges::greater(), &Candidate::cases);
  if (candidates_.size() > kMaxRules) candidates_.resize(kMaxRules);
  for (const Candidate& one : candidates_)
    rules_.push_back(std::move(parse_rules(one.rule, {}).value()[0]));
}

Status Learner::hold(Source& source, Form form) {
  if (!has_proposed_) propose();
  if (rules_.empty()) return {};
  CheckOptions how;
  how.sorted_in_memory = options_.sorted_in_memory;
  how.explained = 0;
  const auto checked = check(source, form, rules_, {}, how);
  if (!checked.ok()) return checked.error();
  for (size_t i = 0; i < candidates_.size(); ++i) {
    const RuleVerdict& verdict = checked.value().verdicts[i];
    Candidate& one = candidates_[i];
    one.is_refuted = one.is_refuted || verdict.outcome == RuleOutcome::kViolated;
    if (verdict.outcome != RuleOutcome::kHolds) continue;
    one.kept += verdict.kept;
    ++one.traces;
  }
  return {};
}

std::string Learner::text() const {
  std::vector<const Candidate*> kept;
  for (const Candidate& one : candidates_)
    if (!one.is_refuted && one.kept >= kMinCases) kept.push_back(&one);
  std::ranges::sort(kept, [](const Candidate* a, const Candidate* b) {
    return std::tie(b->kept, a->rule) < std::tie(a->kept, b->rule);
  });
  if (kept.size() > options_.most) kept.resize(options_.most);
  if (kept.empty()) return {};
  std::string text = formatted(
      "# Proposed by `barefxt learn` from {}. Bounds lie {} % beyond the extremes seen.\n"
      "# A trace shows what happened, not what may happen: edit these rules.\n",
      counted(traces_, "trace"), options_.margin);
  for (const Candidate* one : kept)
    append(text, "\n# {} in {} of {}{}\n{}\n", counted(one->kept, "case"), one->traces,
           counted(traces_, "trace"), one->extreme, one->rule);
  return text;
}

}  // namespace barefxt::host
