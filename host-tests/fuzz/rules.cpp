// Anything, as rules of `check`: they are refused with the line that is wrong, or mean the same
// with comments and other ends of lines, and their verdicts on a trace agree with themselves and
// can be read.
#include <nlohmann/json.hpp>

#include <barefxt/host/check.h>

#include "convert/plain_xml.h"
#include "fuzzing.h"
#include "hostile/terminal_text.h"
#include "print/printing.h"
#include "stats/everything.h"

namespace barefxt::test::fuzz_rules {
namespace {

using Rules = std::vector<host::TraceRule>;

std::string with_comments(const std::string& text) {
  std::string other = "# rules\r\n\r\n";
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    other += text.substr(at, end - at) + "\t# as before\r\n";
    at = end + 1;
  }
  return other;
}

// A budget's line keeps its comment.
bool is_same(const host::TraceRule& one, const host::TraceRule& other) {
  if (one.form != other.form || one.line + 2 != other.line) return false;
  if (one.form != host::RuleForm::kBudget) return in_words(one) == in_words(other);
  const host::BudgetLine& a = one.budget.at(0);
  const host::BudgetLine& b = other.budget.at(0);
  return a.metric == b.metric && a.selectors == b.selectors && a.statistic == b.statistic &&
         a.limit == b.limit;
}

void compare(const Rules& one, const Rules& other) {
  if (one.size() != other.size()) die_of("another number of rules");
  for (size_t i = 0; i < one.size(); ++i)
    if (!is_same(one[i], other[i])) die_of("it means something else: " + in_words(one[i]));
}

void judge(const host::RuleVerdict& verdict) {
  using enum host::RuleOutcome;
  if (verdict.rule == nullptr) die_of("a verdict on nothing");
  if ((verdict.outcome == kViolated) != (verdict.violated != 0))
    die_of("an outcome that its obligations contradict");
  if (verdict.outcome == kHolds && verdict.unknown != 0)
    die_of("a rule that holds, and may be violated");
  if (verdict.outcome == kUnknown && verdict.reason.empty()) die_of("unknown without a reason");
  if (verdict.first && verdict.first->begin > verdict.first->end)
    die_of("a violation that ends before it begins");
}

void check(const Rules& rules, const std::string& name) {
  static const std::string archive = archive_of_everything();
  host::Source source = host::Source::of(as_bytes(archive), "in memory");
  auto checked = host::check(source, host::guess_form(as_bytes(archive)).form, rules, "rules",
                             {.explained = 1});
  if (!checked.ok()) {
    // A line of a budget is held to the names of measures only now.
    if (!checked.error().text().starts_with("rules:")) die_of("an error without a line");
    return;
  }
  if (checked.value().verdicts.size() != rules.size()) die_of("another number of verdicts");
  for (const host::RuleVerdict& verdict : checked.value().verdicts) judge(verdict);
  std::vector<host::CheckedTrace> traces;
  traces.push_back({name, std::move(checked.value())});

  host::StringOutput text;
  host::print_verdicts(text, traces, "rules");
  die_of(terminal_driver_in(text.take(), "\n"));
  host::StringOutput json;
  host::print_verdicts_json(json, traces, "rules");
  if (!nlohmann::json::accept(json.take())) die_of("no JSON");
  host::StringOutput junit;
  host::print_verdicts_junit(junit, traces, "rules", false);
  const PlainXml xml(junit.take());
  die_of(xml.problem);
  if (xml.count("testcase") != rules.size()) die_of("another number of test cases");
}

void try_input(const uint8_t* data, size_t size) {
  const std::string text(data, data + size);
  const auto rules = host::parse_rules(text, "rules");
  if (!rules.ok()) {
    if (!rules.error().text().starts_with("rules")) die_of("refused without a place");
    return;
  }
  const auto again = host::parse_rules(with_comments(text), "again");
  if (!again.ok()) die_of("refused with comments: " + again.error().text());
  compare(rules.value(), again.value());
  check(rules.value(), text);
}

const Fuzzer fuzzer("rules", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_rules
