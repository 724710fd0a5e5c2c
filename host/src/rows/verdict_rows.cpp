// Rows of `check`: the verdict on each rule.
#include "trace_rows.h"

namespace barefxt::host {
namespace {

struct VerdictColumns {
  enum Index : uint8_t {  // unscoped: indices
    kRule = kIdentityColumns,
    kRuleLine,
    kVerdict,
    kKept,
    kViolated,
    kUnknown,
    kLeftOut,
    kReason,
    kFirstTime,
    kFirstThread,
    kFirstText,
    kExplanation,
  };
};

void add_verdict(Row& row, const RuleVerdict& verdict, const Statistics& statistics) {
  using enum VerdictColumns::Index;
  row.text(kVerdict, name_of(verdict.outcome));
  row.number(kKept, verdict.kept);
  row.number(kViolated, verdict.violated);
  row.number(kUnknown, verdict.unknown);
  row.number(kLeftOut, verdict.left_out);
  row.text_of(kReason, verdict.reason);
  if (!verdict.first) return;
  row.number(kFirstTime, nanoseconds_of(statistics, verdict.first->begin));
  if (verdict.first->thread) row.text_of(kFirstThread, statistics.name_of(*verdict.first->thread));
  row.text_of(kFirstText, verdict.first->text);
  row.text_of(kExplanation, verdict.explanation);
}

}  // namespace

const Columns& verdict_columns() {
  using enum ParquetType;
  static const Columns kColumns = with_identity({
      {"rule", kText},
      {"rule_line", kSigned},
      {"verdict", kText},
      {"kept", kSigned},
      {"violated", kSigned},
      {"unknown", kSigned},
      {"left_out", kSigned},
      {"reason", kText},
      {"first_time", kSigned},
      {"first_thread", kText},
      {"first_text", kText},
      {"explanation", kText},
  });
  return kColumns;
}

void add_verdicts(TraceRows& rows, const std::vector<TraceRule>& rules, const Checked* checked) {
  using enum VerdictColumns::Index;
  for (size_t i = 0; i < rules.size(); ++i) {
    Row& row = rows.add();
    row.text(kRule, rules[i].text);
    row.number(kRuleLine, rules[i].line);
    if (checked != nullptr) {
      add_verdict(row, checked->verdicts[i], checked->statistics);
    } else {
      row.text(kVerdict, name_of(RuleOutcome::kUnknown));
      row.text(kReason, "the trace cannot be read");
    }
  }
}

}  // namespace barefxt::host
