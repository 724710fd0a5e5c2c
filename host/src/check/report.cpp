// Verdicts as text, JSON and JUnit.
#include <algorithm>

#include <barefxt/host/check.h>
#include <barefxt/host/json.h>
#include <barefxt/host/safe_text.h>

#include "../figures/xml.h"

namespace barefxt::host {
namespace {

uint64_t count_of(const Checked& checked, RuleOutcome outcome) {
  return static_cast<uint64_t>(
      std::ranges::count(checked.verdicts, outcome, &RuleVerdict::outcome));
}

std::string seconds_text(const Statistics& statistics, uint64_t ticks) {
  return formatted("{:.9f} s", statistics.seconds(static_cast<double>(ticks)));
}

std::string thread_text(const Statistics& statistics, uint64_t thread) {
  const std::string name = statistics.name_of(thread);
  return name.empty() ? formatted("{}", thread) : safe_text(name);
}

// "3 of 120 violated, 2 unknown, 1 left out".
std::string counts_text(const RuleVerdict& verdict) {
  std::string text;
  if (verdict.violated > 0)
    append(text, "{} of {} violated", verdict.violated, verdict.judged());
  else
    append(text, "{} kept", verdict.kept);
  if (verdict.unknown > 0) append(text, ", {} unknown", verdict.unknown);
  if (verdict.left_out > 0) append(text, ", {} left out", verdict.left_out);
  return text;
}

// One sentence on the first violation.
std::string violation_text(const Statistics& statistics, const RuleVerdict& verdict) {
  if (!verdict.first) return {};
  const RuleCase& first = *verdict.first;
  if (verdict.rule->form == RuleForm::kBudget) return safe_text(first.text);
  std::string text = safe_text(first.text) + ", at " + seconds_text(statistics, first.begin);
  if (first.thread) text += ", thread " + thread_text(statistics, *first.thread);
  return text;
}

void print_lines(Output& out, std::string_view text, std::string_view indent) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out.text(indent);
    out.text(text.substr(0, end));
    out.character('\n');
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void print_finding(Output& out, const Statistics& statistics, const RuleVerdict& verdict,
                   const std::string& file, const TextLook& look) {
  const bool is_violated = verdict.outcome == RuleOutcome::kViolated;
  const std::string outcome(name_of(verdict.outcome));
  out.text(formatted("  {}:{}: {}: {}\n", file, verdict.rule->line,
                     is_violated ? look.alarm(outcome) : look.strong(outcome), verdict.rule->text));
  if (is_violated)
    print_lines(out, violation_text(statistics, verdict) + " (" + counts_text(verdict) + ")",
                "    ");
  if (!verdict.reason.empty()) {
    std::string text = is_violated ? "more may be: " + verdict.reason : verdict.reason;
    if (!is_violated && verdict.judged() > 0) text += " (" + counts_text(verdict) + ")";
    print_lines(out, text, "    ");
  }
  print_lines(out, verdict.explanation, "    ");
}

void print_trace(Output& out, const CheckedTrace& trace, const std::string& file,
                 const TextLook& look) {
  const Checked& checked = trace.checked;
  const uint64_t violated = count_of(checked, RuleOutcome::kViolated);
  const uint64_t unknown = count_of(checked, RuleOutcome::kUnknown);
  const uint64_t holds = count_of(checked, RuleOutcome::kHolds);
  for (const RuleOutcome outcome : {RuleOutcome::kViolated, RuleOutcome::kUnknown})
    for (const RuleVerdict& verdict : checked.verdicts)
      if (verdict.outcome == outcome) print_finding(out, checked.statistics, verdict, file, look);
  out.text(formatted("{}: of {}, {} violated, {} unknown, {}\n", safe_text(trace.name),
                     counted(checked.verdicts.size(), "rule"), violated, unknown,
                     holds == 1 ? "1 holds" : formatted("{} hold", holds)));
}

void json_of(Output& out, const Statistics& statistics, const RuleVerdict& verdict) {
  JsonObject object(out);
  object.number("line", verdict.rule->line);
  object.string("rule", verdict.rule->text);
  object.string("verdict", name_of(verdict.outcome));
  object.number("kept", verdict.kept);
  object.number("violated", verdict.violated);
  object.number("unknown", verdict.unknown);
  object.number("left_out", verdict.left_out);
  if (!verdict.reason.empty()) object.string("reason", verdict.reason);
  if (!verdict.first) return;
  {
    JsonObject first(object.key("first"));
    first.number("begin", verdict.first->begin);
    first.number("end", verdict.first->end);
    if (verdict.first->thread) {
      first.number("thread", *verdict.first->thread);
      first.string("thread_name", statistics.name_of(*verdict.first->thread));
    }
    first.string("text", verdict.first->text);
  }
  if (!verdict.explanation.empty()) object.string("explanation", verdict.explanation);
}

void junit_of(Output& out, const CheckedTrace& trace, const RuleVerdict& verdict,
              const std::string& file, bool allow_unknown) {
  out.text("<testcase classname=\"");
  xml(out, file);
  out.text("\" name=\"");
  xml(out, verdict.rule->text);
  if (verdict.outcome == RuleOutcome::kHolds) return out.text("\"/>\n");
  const bool is_violated = verdict.outcome == RuleOutcome::kViolated;
  const std::string_view element = is_violated || !allow_unknown ? "failure" : "skipped";
  out.text("\">\n<");
  out.text(element);
  out.text(" message=\"");
  xml(out, is_violated ? violation_text(trace.checked.statistics, verdict)
                       : "unknown: " + verdict.reason);
  out.text("\">");
  xml_lines(out, counts_text(verdict) + "\n" + verdict.explanation);
  out.text("</");
  out.text(element);
  out.text(">\n</testcase>\n");
}

}  // namespace

void print_verdicts(Output& out, const std::vector<CheckedTrace>& traces, const std::string& file,
                    const TextLook& look) {
  constexpr size_t kIndent = 4;
  FittedOutput fitted(out, look.width, kIndent);
  for (const CheckedTrace& trace : traces) print_trace(fitted, trace, safe_text(file), look);
  fitted.finish();
}

void print_verdicts_json(Output& out, const std::vector<CheckedTrace>& traces,
                         const std::string& file) {
  {
    JsonObject all(out);
    all.string("rules", file);
    JsonList list(all.key("traces"));
    for (const CheckedTrace& trace : traces) {
      JsonObject object(list.next());
      const Statistics& statistics = trace.checked.statistics;
      object.string("trace", trace.name);
      object.number("ticks_per_second", statistics.ticks_per_second);
      object.number("first", statistics.first);
      object.number("last", statistics.last);
      JsonList verdicts(object.key("verdicts"));
      for (const RuleVerdict& verdict : trace.checked.verdicts)
        json_of(verdicts.next(), statistics, verdict);
    }
  }
  out.character('\n');
}

void print_verdicts_junit(Output& out, const std::vector<CheckedTrace>& traces,
                          const std::string& file, bool allow_unknown) {
  out.text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
  for (const CheckedTrace& trace : traces) {
    const uint64_t unknown = count_of(trace.checked, RuleOutcome::kUnknown);
    out.text("<testsuite name=\"");
    xml(out, "barefxt check " + trace.name);
    out.text(formatted(
        "\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n", trace.checked.verdicts.size(),
        count_of(trace.checked, RuleOutcome::kViolated) + (allow_unknown ? 0 : unknown),
        allow_unknown ? unknown : 0));
    for (const RuleVerdict& verdict : trace.checked.verdicts)
      junit_of(out, trace, verdict, file, allow_unknown);
    out.text("</testsuite>\n");
  }
  out.text("</testsuites>\n");
}

}  // namespace barefxt::host
