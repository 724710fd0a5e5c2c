// Rules that a trace keeps or violates: one a line, in the words of rule_grammar().
//
//     let deadline = 50us
//     after irq "uart" within deadline thread "rx" runs
//     never thread "low" runs while lock "bus" held by "high"
//
// A line of a budget (budget.h) is a rule as well. docs/reference/rules.md has the grammar and what
// each form means.
//
// Invariant: memory is bounded by the constants below for any text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/budget.h>

namespace barefxt::host {

inline constexpr size_t kMaxRules = 1000;
inline constexpr size_t kMaxDefinitions = 1000;
inline constexpr size_t kMaxRuleEvents = 16;  // of one rule
inline constexpr size_t kMaxRuleNameBytes = 255;
inline constexpr size_t kMaxRuleBytes = size_t{4} << 20;  // of a file

// Something that happens at a record.
enum class RuleEventKind : uint8_t {
  kNamed,  // an instant of the name, or the begin of a duration
  kIrqBegins,
  kIrqEnds,
  kSliceBegins,
  kSliceEnds,
  kRuns,  // a switch to the thread
  kStops,
  kWakes,
  kTaken,  // a lock
  kReleased,
  kFlowBegins,
  kFlowEnds,
};
struct RuleEvent {
  RuleEventKind kind = RuleEventKind::kNamed;
  std::string name = {};  // with `*` for any text
  std::string by = {};    // of locks: the thread; empty: any
};

// Something that lasts: from the tick of the record that begins it to before that of its end.
enum class RuleStateKind : uint8_t { kRuns, kIrq, kSlice, kHeld };
struct RuleState {
  RuleStateKind kind = RuleStateKind::kRuns;
  std::string name = {};
  std::string by = {};
};

// A window's begin or end.
struct RuleEdge {
  std::optional<RuleEvent> event = {};  // else `time`
  TimeBound time = {};
};

enum class RuleForm : uint8_t {
  kAfter,
  kNever,
  kEvery,
  kLasts,
  kBetween,
  kCounter,
  kStack,
  kFlow,
  kOrder,
  kBudget,
};

struct TraceRule {
  unsigned line = 0;  // in the file, from 1
  std::string text = {};
  RuleForm form = RuleForm::kBudget;

  // kAfter: the trigger, then each response. kNever: one, or none if it is of a state. kEvery: one.
  // kLasts: the begin of what is measured. kBetween: begin, end, what is counted. kOrder: all.
  std::vector<RuleEvent> events = {};
  std::vector<TimeBound> within = {};   // kAfter: of each response
  std::optional<RuleState> state = {};  // kNever: what must not be
  std::optional<RuleState> during = {};

  TimeBound period = {};
  TimeBound jitter = {};
  std::optional<TimeBound> offset = {};
  std::optional<TimeBound> done_within = {};

  BudgetLine::Bound bound = BudgetLine::Bound::kLess;
  TimeBound length = {};        // kLasts, kFlow
  double value = 0;             // kCounter, kStack
  std::string value_text = {};  // as it was written, constants put in
  std::string counter = {};     // kStack: the thread
  std::string argument = {};    // of the counter; empty: each
  uint64_t count = 0;           // kBetween
  std::string flow = {};
  double percentile = 100;
  bool per_thread = false;

  std::optional<RuleEdge> from = {};
  std::optional<RuleEdge> to = {};

  std::vector<BudgetLine> budget = {};  // kBudget: the one line
};

// An error names the line and the column, and what was expected there.
Result<std::vector<TraceRule>> parse_rules(std::string_view text, const std::string& file);

// The meaning that was understood, in a sentence.
std::string in_words(const TraceRule& rule);
std::string in_words(const RuleEvent& event);
std::string in_words(const RuleState& state);

// The grammar in EBNF. A budget's line has one of its own (budget.h).
std::string_view rule_grammar();

// The meaning of each form, for people.
struct RuleFormHelp {
  std::string_view grammar;
  std::string_view meaning;
  std::string_view example;
};
const std::vector<RuleFormHelp>& rule_forms();

}  // namespace barefxt::host
