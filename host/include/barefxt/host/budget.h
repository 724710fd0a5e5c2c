// Limits of a trace's costs: a text file whose lines each bound some of the numbers of statistics.
//
//     wakeup_latency thread=control p99 <= 50us
//     losses records = 0
//
// docs/reference/statistics.md has the grammar. A file that cannot be understood is an Error with
// the line's number, its text, and a hint at what is allowed there.
//
// Invariant: memory is bounded by kMaxBudgetLines and kMaxViolations for any trace.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/measures.h>

namespace barefxt::host {

inline constexpr size_t kMaxBudgetLines = 10'000;
// Per line; a message counts the rest.
inline constexpr size_t kMaxViolations = 100;

struct BudgetLine {
  enum class Bound : uint8_t { kAtMost, kLess, kAtLeast, kMore, kEqual };

  unsigned number = 0;  // in the file, from 1
  std::string text;     // without the comment
  std::string metric;
  bool may_be_missing = false;
  std::vector<std::pair<std::string, std::string>> selectors;
  std::string statistic;
  // "count above 10ms", "share above 10ms": of the lengths above this.
  std::optional<TimeBound> above;
  Bound bound = Bound::kAtMost;
  double limit = 0;
  enum class Scale : uint8_t { kPlain, kNanoseconds, kTicks, kPercent } scale = Scale::kPlain;
};

// Returns true if the value keeps the bound.
bool keeps_bound(long double value, BudgetLine::Bound bound, long double limit);

// A limit of time: "10ms", "500ticks"; null where it is none.
std::optional<TimeBound> time_limit_in(std::string_view text);
// Any time in a text, "1.5ms", as nanoseconds; null where it is none.
std::optional<double> nanoseconds_in(std::string_view text);

Result<std::vector<BudgetLine>> parse_budget(std::string_view text, const std::string& file);

struct Verdict {
  const BudgetLine* line;
  uint64_t looked_at = 0;               // numbers that it is about
  std::vector<std::string> violations;  // a sentence each
  std::string not_judged;               // why the trace cannot show it; empty if it can
};

// One for each line.
Result<std::vector<Verdict>> hold_to_budget(const Statistics& statistics,
                                            const std::vector<BudgetLine>& budget,
                                            const std::string& file);

// If each selector of the line fits what is measured.
bool selects(const BudgetLine& line, const Subject& subject);
// If the line bounds numbers of this metric and subject. A lock's row for one holder is part of its
// row for all: only a line with a holder is about it.
bool is_about(const BudgetLine& line, std::string_view metric, const Subject& subject);

// As a CI reads it: a test case for each line. One that is not judged failed, or with
// `allow_unknown` was skipped. `explanations`, by the line's number, are the text of its first
// failure.
void print_junit(Output& out, const std::vector<Verdict>& verdicts, const std::string& archive,
                 const std::string& budget, bool allow_unknown = false,
                 const std::map<unsigned, std::string>& explanations = {});

}  // namespace barefxt::host
