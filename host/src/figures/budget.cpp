// Numbers held against their bounds.
#include <algorithm>

#include <barefxt/host/budget.h>

#include "nearest.h"
#include "shares.h"
#include "xml.h"

namespace barefxt::host {
namespace {

using Bound = BudgetLine::Bound;
using Scale = BudgetLine::Scale;

std::string_view words_for(Bound bound) {
  switch (bound) {
    case Bound::kAtMost:
      return "may be at most ";
    case Bound::kLess:
      return "must be less than ";
    case Bound::kAtLeast:
      return "must be at least ";
    case Bound::kMore:
      return "must be more than ";
    case Bound::kEqual:
      return "must be ";
  }
  return "";
}

bool is_thread(std::string_view pattern, std::optional<uint64_t> koid, const std::string& name) {
  return koid && (matches(pattern, name) || pattern == std::to_string(*koid));
}

// By its name, or its number as 0x20001234 or in decimals.
bool is_object(const std::string& pattern, const Subject& subject) {
  if (!subject.object) return false;
  if (!subject.object_name.empty() && matches(pattern, subject.object_name)) return true;
  return matches(pattern, formatted("0x{:x}", *subject.object)) ||
         pattern == std::to_string(*subject.object);
}

struct Selected {
  std::string_view text;  // that a selector's pattern is compared with; of a thread, its name
  bool holds;
};

Selected selected(std::string_view key, const std::string& pattern, const Subject& subject) {
  if (key == "thread")
    return {subject.thread_name, is_thread(pattern, subject.thread, subject.thread_name)};
  if (key == "category") return {subject.category, matches(pattern, subject.category)};
  if (key == "name") return {subject.name, matches(pattern, subject.name)};
  if (key == "argument") return {subject.argument, matches(pattern, subject.argument)};
  if (key == "holder")
    return {subject.holder_name, subject.holder_unknown
                                     ? matches(pattern, subject.holder_name)
                                     : is_thread(pattern, subject.holder, subject.holder_name)};
  if (key == "runner")
    return {subject.runner_name, is_thread(pattern, subject.runner, subject.runner_name)};
  if (key == "object") return {subject.object_name, is_object(pattern, subject)};
  if (key == "kind") return {subject.kind, matches(pattern, subject.kind)};
  return {{}, subject.cpu && matches(pattern, std::to_string(*subject.cpu))};
}

// Limits of time compare as ticks times ns, so that both sides are whole numbers.
bool is_kept(const Statistics& statistics, const BudgetLine& line, const Measure& measure) {
  if (line.scale != Scale::kNanoseconds) return keeps_bound(measure.value, line.bound, line.limit);
  constexpr double kNanoseconds = 1e9;
  return keeps_bound(measure.value * kNanoseconds, line.bound,
                     line.limit * static_cast<double>(statistics.ticks_per_second));
}

bool fits(Scale scale, Unit unit) {
  if (unit == Unit::kTicks) return scale == Scale::kNanoseconds || scale == Scale::kTicks;
  if (unit == Unit::kShare) return scale == Scale::kPercent || scale == Scale::kPlain;
  return scale == Scale::kPlain;
}

std::string_view what_fits(Unit unit) {
  if (unit == Unit::kTicks) return "a time, with ns, us, ms, s or ticks";
  if (unit == Unit::kShare) return "a share, with % or from 0 to 1";
  return "a number without a unit";
}

std::string violation(const Statistics& statistics, const BudgetLine& line,
                      const Measure& measure) {
  double limit = line.limit;
  if (line.scale == Scale::kNanoseconds)
    limit *= static_cast<double>(statistics.ticks_per_second) / 1e9;
  std::string text(measure.metric);
  const std::string subject = describe(measure.subject);
  if (!subject.empty()) text += " " + subject;
  append(text, " {} is ", measure.statistic);
  text += describe(statistics, measure.unit, measure.value) + ", and ";
  text += words_for(line.bound);
  text += describe(statistics, measure.unit, limit);
  if (measure.where != nullptr) {
    const Extent& where = *measure.where;
    append(text, "; the longest is from {:.9f} to {:.9f} (record at offset {})",
           statistics.seconds(static_cast<double>(where.begin)),
           statistics.seconds(static_cast<double>(where.end)), where.offset);
  }
  return text;
}

// Lines for which names are compared: each takes a look at all that was measured.
constexpr size_t kMaxQuestions = 16;

// Asks for the nearest names, where a line selects by some that nothing of its metric has.
std::string question(const Statistics& statistics, const BudgetLine& line) {
  std::string all;
  for (const auto& [key, pattern] : line.selectors) {
    Nearest nearest(pattern);
    bool any = false;
    for_each_measure(statistics, [&, &by = key, &text = pattern](const Measure& measure) {
      if (measure.metric != line.metric || measure.statistic != line.statistic) return;
      const Selected one = selected(by, text, measure.subject);
      any = any || one.holds;
      nearest.see(one.text);
    });
    if (!any) all += nearest.question();
  }
  return all;
}

bool is_from_above(const BudgetLine& line) {
  return line.bound != Bound::kAtLeast && line.bound != Bound::kMore;
}

// Jobs that were left out of a number, which may therefore be too small for a bound from above.
uint64_t doubts_of(const Statistics& statistics, const BudgetLine& line, const Measure& measure) {
  const std::string_view counted = measure.statistic;
  if (measure.metric != "job" || !is_from_above(line) || counted == "in_doubt" ||
      counted == "not_due" || counted == "without_deadline")
    return 0;
  const JobSource source =
      measure.subject.category == "recorded" ? JobSource::kRecorded : JobSource::kWakeups;
  const auto jobs =
      statistics.jobs.find({measure.subject.thread.value_or(0), measure.subject.name, source});
  return jobs == statistics.jobs.end() ? 0 : jobs->second.in_doubt;
}

std::string without_doubts(const Statistics& statistics, const Measure& measure, uint64_t doubts) {
  return formatted(
      "{} {} {} is {} without {} that are in doubt (losses, or wakeups that are not recorded)",
      measure.metric, describe(measure.subject), measure.statistic,
      describe(statistics, measure.unit, measure.value), doubts);
}

// Decides if the trace holds enough for a verdict. `asks`: for the nearest names.
void judge(const Statistics& statistics, Verdict& verdict, bool asks) {
  const BudgetLine& line = *verdict.line;
  if (verdict.looked_at == 0 && line.may_be_missing) return;
  const std::string_view missing = missing_for(statistics, line.metric);
  if (!missing.empty()) {
    verdict.not_judged = missing;
  } else if (verdict.looked_at == 0) {
    verdict.not_judged = "this trace has nothing for this line";
    if (asks) verdict.not_judged += question(statistics, line);
  }
  if (!verdict.not_judged.empty() && verdict.looked_at == 0)
    verdict.not_judged += " (write '" + line.metric + "?' to allow that)";
  if (!missing.empty()) verdict.violations.clear();
}

}  // namespace

bool keeps_bound(long double value, Bound bound, long double limit) {
  switch (bound) {
    case Bound::kAtMost:
      return value <= limit;
    case Bound::kLess:
      return value < limit;
    case Bound::kAtLeast:
      return value >= limit;
    case Bound::kMore:
      return value > limit;
    case Bound::kEqual:
      return value == limit;
  }
  return false;
}

bool selects(const BudgetLine& line, const Subject& subject) {
  return std::ranges::all_of(line.selectors, [&](const auto& selector) {
    return selected(selector.first, selector.second, subject).holds;
  });
}

bool is_about(const BudgetLine& line, std::string_view metric, const Subject& subject) {
  if (line.metric != metric || !selects(line, subject)) return false;
  const bool by_holder = std::ranges::any_of(
      line.selectors, [](const auto& selector) { return selector.first == "holder"; });
  return metric != "contention" || by_holder == subject.has_holder();
}

Result<std::vector<Verdict>> hold_to_budget(const Statistics& statistics,
                                            const std::vector<BudgetLine>& budget,
                                            const std::string& file) {
  std::vector<Verdict> verdicts;
  verdicts.reserve(budget.size());
  for (const BudgetLine& line : budget) verdicts.push_back({&line, 0, {}, {}});
  Status status;
  std::vector<uint64_t> more(budget.size());  // violations that are only counted
  const auto hold = [&](Verdict& verdict, const Measure& measure) {
    const BudgetLine& line = *verdict.line;
    if (!fits(line.scale, measure.unit) && status.ok()) {
      status = Error{
          formatted("{} {} is {}", measure.metric, measure.statistic, what_fits(measure.unit)),
          formatted("{}:{}", file, line.number), ""};
    }
    ++verdict.looked_at;
    if (!is_kept(statistics, line, measure)) {
      if (verdict.violations.size() < kMaxViolations) {
        verdict.violations.push_back(violation(statistics, line, measure));
      } else {
        ++more[static_cast<size_t>(&verdict - verdicts.data())];
      }
    } else if (is_from_above(line) && is_lower_bound(statistics, measure)) {
      verdict.not_judged = "the amount lost is unknown";
    } else if (const uint64_t doubts = doubts_of(statistics, line, measure)) {
      verdict.not_judged = without_doubts(statistics, measure, doubts);
    }
  };
  for_each_measure(statistics, [&](const Measure& measure) {
    for (Verdict& verdict : verdicts) {
      const BudgetLine& line = *verdict.line;
      if (!line.above && line.statistic == measure.statistic &&
          is_about(line, measure.metric, measure.subject))
        hold(verdict, measure);
    }
  });
  for (Verdict& verdict : verdicts) {
    if (!verdict.line->above) continue;
    const uint64_t limit = verdict.line->above->whole_ticks(statistics.ticks_per_second);
    for_each_distribution(statistics, [&](std::string_view metric, const Subject& subject,
                                          const Distribution& lengths) {
      if (!is_about(*verdict.line, metric, subject)) return;
      const bool is_share = verdict.line->statistic.starts_with("share");
      // No part of nothing is above.
      if (is_share && lengths.count() == 0) return;
      const uint64_t above = lengths.count_above(limit);
      const Measure measure{metric,
                            subject,
                            verdict.line->statistic,
                            is_share ? Unit::kShare : Unit::kCount,
                            is_share ? share(above, lengths.count()) : static_cast<double>(above),
                            lengths.count() == 0 ? nullptr : &lengths.longest_extent()};
      hold(verdict, measure);
    });
  }
  if (!status.ok()) return status.error();
  size_t questions = 0;
  for (Verdict& verdict : verdicts) {
    const uint64_t left_out = more[static_cast<size_t>(&verdict - verdicts.data())];
    if (left_out != 0)
      verdict.violations.push_back(formatted("{} more violations of this line", left_out));
    const bool asks = verdict.looked_at == 0 && questions < kMaxQuestions;
    questions += asks ? 1 : 0;
    judge(statistics, verdict, asks);
  }
  return verdicts;
}

void print_junit(Output& out, const std::vector<Verdict>& verdicts, const std::string& archive,
                 const std::string& budget, bool allow_unknown,
                 const std::map<unsigned, std::string>& explanations) {
  const auto failures = std::count_if(verdicts.begin(), verdicts.end(), [&](const Verdict& one) {
    return !one.violations.empty() || (!allow_unknown && !one.not_judged.empty());
  });
  out.text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"");
  xml(out, "barefxt stats " + archive);
  out.text("\" tests=\"");
  out.number(verdicts.size());
  out.text("\" failures=\"");
  out.number(failures);
  out.text("\">\n");
  for (const Verdict& verdict : verdicts) {
    out.text("<testcase classname=\"");
    xml(out, budget);
    out.text("\" name=\"");
    xml(out, verdict.line->text);
    out.text("\"");
    if (verdict.violations.empty() && verdict.not_judged.empty()) {
      out.text("/>\n");
      continue;
    }
    out.text(">\n");
    const auto outcome = [&](std::string_view element, const std::string& text,
                             std::string_view more = {}) {
      out.text("<");
      out.text(element);
      out.text(" message=\"");
      xml(out, text);
      if (more.empty()) {
        out.text("\"/>\n");
        return;
      }
      out.text("\">");
      xml_lines(out, more);
      out.text("</");
      out.text(element);
      out.text(">\n");
    };
    const auto explanation = explanations.find(verdict.line->number);
    for (const std::string& violation : verdict.violations) {
      const bool is_first = &violation == &verdict.violations.front();
      outcome("failure", violation,
              is_first && explanation != explanations.end() ? explanation->second : std::string());
    }
    if (!verdict.not_judged.empty())
      outcome(allow_unknown ? "skipped" : "failure", "not judged: " + verdict.not_judged);
    out.text("</testcase>\n");
  }
  out.text("</testsuite>\n</testsuites>\n");
}

}  // namespace barefxt::host
