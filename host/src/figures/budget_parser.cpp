// The budget file, line by line.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <barefxt/host/budget.h>

#include "nearest.h"

namespace barefxt::host {
namespace {

using Bound = BudgetLine::Bound;
using Scale = BudgetLine::Scale;

constexpr auto kSelectors = std::to_array<std::string_view>(
    {"thread", "cpu", "category", "name", "argument", "object", "kind", "holder", "runner"});

struct UnitName {
  std::string_view name;
  double nanoseconds;
};
constexpr auto kUnits = std::to_array<UnitName>({{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}});

std::string joined(const auto& names) {
  std::string text;
  for (const std::string_view one : names) {
    if (!text.empty()) text += ", ";
    text += one;
  }
  return text;
}

std::string nearest(std::string_view word, const auto& names) {
  Nearest nearest(word);
  for (const std::string_view one : names) nearest.see(one);
  return nearest.question();
}

// Words apart by spaces; quotes keep spaces together. False where a quote does not end.
bool split(std::string_view line, std::vector<std::string>& words) {
  std::string word;
  bool in_word = false;
  bool in_quotes = false;
  for (const char c : line) {
    if (c == '"') {
      in_quotes = !in_quotes;
      in_word = true;
    } else if (!in_quotes && (c == ' ' || c == '\t' || c == '\r')) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else if (!in_quotes && c == '#') {
      break;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return !in_quotes;
}

std::optional<Bound> bound_of(std::string_view word) {
  if (word == "<=") return Bound::kAtMost;
  if (word == "<") return Bound::kLess;
  if (word == ">=") return Bound::kAtLeast;
  if (word == ">") return Bound::kMore;
  if (word == "=") return Bound::kEqual;
  return std::nullopt;
}

class LineParser {
 public:
  explicit LineParser(BudgetLine& line) : line_(line) {}

  // Parses a line. Returns its fault; empty if there is none.
  std::string parse(std::vector<std::string> words) {
    if (words.size() < 4) return formatted("it is too short; a line is {}", kForm);
    std::string limit = std::move(words.back());
    words.pop_back();
    const auto bound = bound_of(words.back());
    if (!bound) {
      // "50 us" is one limit, too.
      limit = words.back() + limit;
      words.pop_back();
    }
    const auto found = words.empty() ? std::nullopt : bound ? bound : bound_of(words.back());
    if (!found || words.size() < 3)
      return "there is no comparison in front of the limit; there is: <=, <, >=, >, =";
    words.pop_back();
    line_.bound = *found;
    std::string wrong = above(words);
    if (!wrong.empty()) return wrong;
    line_.statistic = std::move(words.back());
    words.pop_back();
    std::string unknown = metric(words.front()) + statistic() + selectors(words);
    if (!unknown.empty()) return unknown;
    if (line_.above) line_.statistic += above_text_;
    return value(limit);
  }

 private:
  static constexpr std::string_view kForm = "METRIC [SELECTOR=TEXT]... STATISTIC <= LIMIT";

  // Takes " above 10ms" off the end.
  std::string above(std::vector<std::string>& words) {
    constexpr size_t kMin = 4;  // metric, statistic, "above", time
    if (words.size() < kMin || words[words.size() - 2] != "above") return {};
    line_.above = time_limit_in(words.back());
    if (!line_.above) return "'" + words.back() + "' is no time; write 10ms, 50us, 300ticks";
    above_text_ = " above " + words.back();
    words.resize(words.size() - 2);
    if (words.back() == "count" || words.back() == "share") return {};
    return formatted("'{}{}' is no statistic; there is: count above, share above", words.back(),
                     above_text_);
  }

  std::string metric(std::string word) {
    line_.may_be_missing = word.ends_with('?');
    if (line_.may_be_missing) word.pop_back();
    line_.metric = std::move(word);
    const auto& known = line_.above ? known_sets() : known_metrics();
    if (std::find(known.begin(), known.end(), line_.metric) != known.end()) return {};
    if (line_.above)
      return formatted("'{}' has no lengths; these have: {}. ", line_.metric, joined(known));
    return formatted("no metric '{}'{}; there is: {}. ", line_.metric, nearest(line_.metric, known),
                     joined(known));
  }

  std::string statistic() const {
    const auto& known = known_statistics();
    if (std::find(known.begin(), known.end(), line_.statistic) != known.end()) return {};
    return formatted("no statistic '{}'{}; there is: {}. ", line_.statistic,
                     nearest(line_.statistic, known), joined(known));
  }

  std::string selectors(const std::vector<std::string>& words) {
    for (size_t i = 1; i < words.size(); ++i) {
      const size_t equals = words[i].find('=');
      const std::string key = words[i].substr(0, equals);
      if (equals == std::string::npos ||
          std::find(kSelectors.begin(), kSelectors.end(), key) == kSelectors.end())
        return formatted("no selector '{}'{}; there is, each with =TEXT: {}. ", words[i],
                         nearest(key, kSelectors), joined(kSelectors));
      line_.selectors.emplace_back(key, words[i].substr(equals + 1));
    }
    return {};
  }

  std::string value(std::string_view limit) {
    const char* end = limit.data() + limit.size();
    const auto [rest, error] =
        std::from_chars(limit.data(), limit.data() + limit.size(), line_.limit);
    const std::string_view unit(rest, static_cast<size_t>(end - rest));
    // Every number is less than infinity, and no comparison with NaN holds: neither is a limit.
    if (error == std::errc{} && scale(unit) && std::isfinite(line_.limit)) return {};
    return formatted("'{}' is no limit; that is a number, or one with ns, us, ms, s, ticks or %",
                     limit);
  }

  bool scale(std::string_view unit) {
    if (unit.empty()) return true;
    if (unit == "%") return scaled(Scale::kPercent, 0.01);
    if (unit == "ticks") return scaled(Scale::kTicks, 1);
    for (const UnitName& one : kUnits)
      if (unit == one.name) return scaled(Scale::kNanoseconds, one.nanoseconds);
    return false;
  }

  bool scaled(Scale scale, double factor) {
    line_.scale = scale;
    line_.limit *= factor;
    return true;
  }

  BudgetLine& line_;
  std::string above_text_;
};

}  // namespace

std::optional<double> nanoseconds_in(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view unit(rest, static_cast<size_t>(end - rest));
  for (const UnitName& one : kUnits) {
    const double nanoseconds = number * one.nanoseconds;
    if (unit == one.name && std::isfinite(nanoseconds)) return nanoseconds;
  }
  return std::nullopt;
}

std::optional<TimeBound> time_limit_in(std::string_view text) {
  constexpr std::string_view kTicks = "ticks";
  TimeBound limit;
  limit.in_ticks = text.ends_with(kTicks);
  std::string number(text);
  // As nanoseconds the parser takes a number of ticks.
  if (limit.in_ticks) number.replace(number.size() - kTicks.size(), kTicks.size(), "ns");
  const auto value = nanoseconds_in(number);
  if (!value || *value < 0) return std::nullopt;
  limit.value = *value;
  return limit;
}

Result<std::vector<BudgetLine>> parse_budget(std::string_view text, const std::string& file) {
  std::vector<BudgetLine> lines;
  unsigned number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    const std::string where = formatted("{}:{}", file, number);
    std::vector<std::string> words;
    if (!split(one, words)) return Error{"a quote that does not end", where, "add a \""};
    if (words.empty()) continue;
    if (lines.size() == kMaxBudgetLines)
      return Error{formatted("more than {} bounds", kMaxBudgetLines), where,
                   "make several budgets of it"};
    BudgetLine& line = lines.emplace_back();
    line.number = number;
    line.text = one.substr(0, one.find_last_not_of(" \t\r") + 1);
    const std::string wrong = LineParser(line).parse(std::move(words));
    if (!wrong.empty()) return Error{wrong, where, ""};
  }
  if (lines.empty()) return Error{"no line in this budget bounds anything", file, ""};
  return lines;
}

}  // namespace barefxt::host
