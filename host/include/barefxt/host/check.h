// Holds a trace to rules: each rule holds, is violated, or is unknown because the trace leaves it
// open. docs/reference/rules.md defines it.
//
// A rule makes obligations, such as one for each interrupt of `after irq ...`. One obligation that
// every completion of the trace violates makes a rule violated. A completion is the trace with any
// records put into its losses. A rule holds only if no loss lies in its window, for each loss may
// hide an obligation. An obligation that needs records behind the trace's end, or from before its
// begin, is left out and counted.
//
// Invariants: to cut a trace, or to lose some of its records, turns no violated or unknown
// obligation into one that is kept. Memory is bounded by the constants below; beyond them a rule
// that is not violated is unknown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <barefxt/host/fitted_output.h>
#include <barefxt/host/rules.h>
#include <barefxt/host/stats.h>

namespace barefxt::host {

// Obligations of one rule that wait for a response, and threads or locks that it keeps apart.
inline constexpr size_t kMaxOpenObligations = 1024;
inline constexpr size_t kMaxRuleInstances = 4096;
// Records that wait until it is known that no complete duration began before them.
inline constexpr size_t kMaxHeldBack = size_t{1} << 16;

enum class RuleOutcome : uint8_t { kHolds, kViolated, kUnknown };
std::string_view name_of(RuleOutcome outcome);

struct RuleCase {
  uint64_t begin = 0;
  uint64_t end = 0;  // when it is certain
  std::optional<uint64_t> thread = {};
  std::string text = {};
};

struct RuleVerdict {
  const TraceRule* rule = nullptr;
  RuleOutcome outcome = RuleOutcome::kHolds;
  // Obligations.
  uint64_t kept = 0;
  uint64_t violated = 0;
  uint64_t unknown = 0;
  uint64_t left_out = 0;
  std::optional<RuleCase> first = {};  // violation
  std::string reason = {};             // why it is unknown, also of violated ones with doubts
  std::string explanation = {};  // of the first violation, in lines; empty where there is none

  uint64_t judged() const { return kept + violated + unknown; }
};

struct Checked {
  Statistics statistics;
  std::vector<RuleVerdict> verdicts;  // one for each rule
};

struct CheckOptions {
  Selection selection = {};
  size_t sorted_in_memory = size_t{1} << 16;  // as in StatisticsOptions
  size_t explained = 5;                       // violated rules, by a pass over the trace each
};

// `file` is the rules', for messages.
Result<Checked> check(Source& source, Form form, const std::vector<TraceRule>& rules,
                      const std::string& file, const CheckOptions& options = {});

// One trace that was checked, for what is printed of several.
struct CheckedTrace {
  std::string name;
  Checked checked;
};

// The text has findings first: violated, unknown, then a line on the rest.
void print_verdicts(Output& out, const std::vector<CheckedTrace>& traces, const std::string& file,
                    const TextLook& look = {});
void print_verdicts_json(Output& out, const std::vector<CheckedTrace>& traces,
                         const std::string& file);
// A test suite for each trace. A rule that is unknown failed, or with `allow_unknown` was skipped.
void print_verdicts_junit(Output& out, const std::vector<CheckedTrace>& traces,
                          const std::string& file, bool allow_unknown);

}  // namespace barefxt::host
