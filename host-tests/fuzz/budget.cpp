// Anything, as a budget: it is refused with the line that is wrong, or means the same when it is
// written out another way, and its verdict on a trace fits into XML.
#include <cmath>
#include <map>

#include <barefxt/host/budget.h>

#include "convert/plain_xml.h"
#include "fuzzing.h"
#include "print/printing.h"
#include "stats/everything.h"

namespace barefxt::test::fuzz_budget {
namespace {

using Lines = std::vector<host::BudgetLine>;
using Scale = host::BudgetLine::Scale;

// Every word in quotes, the limit in the smallest unit.
std::string rewritten(const Lines& lines) {
  static const char* const kBounds[] = {"<=", "<", ">=", ">", "="};
  static const std::map<Scale, const char*> kUnits = {
      {Scale::kPlain, ""}, {Scale::kNanoseconds, "ns"}, {Scale::kTicks, "ticks"}};
  std::string text;
  for (const host::BudgetLine& line : lines) {
    text += '"' + line.metric + (line.may_be_missing ? "?\"" : "\"");
    for (const auto& [key, value] : line.selectors) text += " \"" + key + "=" + value + '"';
    text += "\t" + line.statistic + " " + kBounds[static_cast<unsigned>(line.bound)] + " ";
    char limit[64];
    const bool percent = line.scale == Scale::kPercent;
    std::snprintf(limit, sizeof limit, "%.17g", percent ? line.limit * 100 : line.limit);
    text += limit + std::string(percent ? "%" : kUnits.at(line.scale)) + " # as before\r\n";
  }
  return text;
}

bool is_same_limit(const host::BudgetLine& one, const host::BudgetLine& other) {
  if (one.scale != Scale::kPercent) return one.limit == other.limit;
  return std::abs(one.limit - other.limit) <= 1e-14 * std::abs(one.limit);
}

void compare(const Lines& one, const Lines& other) {
  if (one.size() != other.size()) die_of("another number of lines");
  for (size_t i = 0; i < one.size(); ++i) {
    const host::BudgetLine& a = one[i];
    const host::BudgetLine& b = other[i];
    if (a.metric != b.metric || a.may_be_missing != b.may_be_missing ||
        a.selectors != b.selectors || a.statistic != b.statistic || a.bound != b.bound ||
        a.scale != b.scale || !is_same_limit(a, b))
      die_of("a line that means something else");
  }
}

const host::Statistics& statistics() {
  static const host::Statistics all = [] {
    static const std::string archive = archive_of_everything();
    host::Source source = host::Source::of(as_bytes(archive), "in memory");
    auto collected = host::collect_statistics(source, host::guess_form(as_bytes(archive)).form);
    if (!collected.ok()) die_of("no statistics of the sample");
    return std::move(collected.value());
  }();
  return all;
}

void hold_to(const Lines& budget, const std::string& name) {
  const auto verdicts = host::hold_to_budget(statistics(), budget, "budget");
  if (!verdicts.ok()) {
    if (!verdicts.error().text().starts_with("budget:")) die_of("an error without a line");
    return;
  }
  size_t broken = 0;
  size_t violations = 0;
  for (const host::Verdict& verdict : verdicts.value()) {
    const bool is_judged = verdict.not_judged.empty();
    broken += !verdict.violations.empty() || !is_judged;
    violations += verdict.violations.size() + (is_judged ? 0 : 1);
    if (verdict.violations.size() > host::kMaxViolations + 1) die_of("too many violations");
    if (verdict.looked_at == 0 && is_judged && !verdict.line->may_be_missing)
      die_of("a bound on nothing that is kept");
  }
  host::StringOutput out;
  host::print_junit(out, verdicts.value(), name, "budget");
  const PlainXml xml(out.take());
  die_of(xml.problem);
  if (xml.count("testcase") != budget.size()) die_of("another number of test cases");
  if (xml.count("failure") != violations) die_of("another number of failures");
  if (xml.attribute("testsuite", "failures") != std::to_string(broken))
    die_of("another number of test cases that failed");
}

void try_input(const uint8_t* data, size_t size) {
  const std::string text(data, data + size);
  (void)host::nanoseconds_in(text);
  const auto budget = host::parse_budget(text, "budget");
  if (!budget.ok()) {
    if (budget.error().text().empty()) die_of("refused without a reason");
    return;
  }
  for (const host::BudgetLine& line : budget.value())
    if (!std::isfinite(line.limit)) die_of("a limit that is none");
  const auto again = host::parse_budget(rewritten(budget.value()), "rewritten");
  if (!again.ok()) die_of("it is refused when it is written out: " + again.error().text());
  compare(budget.value(), again.value());
  hold_to(budget.value(), text);
}

const Fuzzer fuzzer("budget", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_budget
