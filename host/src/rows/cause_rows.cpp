// Rows of `explain`: each cause of each interval.
#include "../explain/phrases.h"
#include "../figures/shares.h"
#include "trace_rows.h"

namespace barefxt::host {
namespace {

struct CauseColumns {
  enum Index : uint8_t {  // unscoped: indices
    kCase = kIdentityColumns,
    kKind,
    kBegin,
    kLength,
    kThread,
    kThreadName,
    kCpu,
    kCategory,
    kName,
    kBudgetLine,
    kSentence,
    kUnknownShare,
    kCause,
    kReason,
    kCauseName,
    kCauseCpu,
    kInversion,
    kCauseTime,
    kCauseShare,
    kTimes,
    kLongest,
  };
};

std::string name_of_lock(const Statistics& statistics, const ObjectKey& object) {
  const std::string name = statistics.name_of(object);
  return name.empty() ? object.label.name : name;
}

// The thread, interrupt or lock that the cause is about.
std::string name_of_cause(const Statistics& statistics, const Cause& cause) {
  if (cause.kind == CauseKind::kInterrupt || cause.kind == CauseKind::kStall)
    return cause.interrupt;
  if (cause.thread) return statistics.name_of(*cause.thread);
  return cause.object ? name_of_lock(statistics, *cause.object) : std::string();
}

double unknown_share(const Explanation& one) {
  uint64_t unknown = 0;
  for (const Part& part : one.parts)
    if (part.cause.kind == CauseKind::kUnknown) unknown += part.ticks;
  return share(unknown, one.length());
}

void add_cause(Row& row, const Statistics& statistics, const Explanation& one, const Part& part) {
  using enum CauseColumns::Index;
  row.text(kCause, name_of(part.cause.kind));
  if (part.cause.reason != UnknownReason::kNone) row.text(kReason, name_of(part.cause.reason));
  row.text_of(kCauseName, name_of_cause(statistics, part.cause));
  row.number_of(kCauseCpu, part.cause.cpu);
  row.number(kInversion, part.cause.is_inversion ? 1 : 0);
  row.number(kCauseTime, nanoseconds_of(statistics, part.ticks));
  row.real(kCauseShare, share(part.ticks, one.length()));
  row.number(kTimes, part.times);
  row.number(kLongest, nanoseconds_of(statistics, part.longest));
}

}  // namespace

const Columns& cause_columns() {
  using enum ParquetType;
  static const Columns kColumns = with_identity({
      {"case_number", kSigned}, {"kind", kText},        {"begin_time", kSigned},
      {"length_ns", kSigned},   {"thread", kSigned},    {"thread_name", kText},
      {"cpu", kSigned},         {"category", kText},    {"name", kText},
      {"budget_line", kSigned}, {"sentence", kText},    {"unknown_share", kReal},
      {"cause", kText},         {"reason", kText},      {"cause_name", kText},
      {"cause_cpu", kSigned},   {"inversion", kSigned}, {"cause_ns", kSigned},
      {"cause_share", kReal},   {"times", kSigned},     {"longest_ns", kSigned},
  });
  return kColumns;
}

void add_causes(TraceRows& rows, const Explained& explained) {
  using enum CauseColumns::Index;
  const Statistics& statistics = explained.statistics;
  for (size_t i = 0; i < explained.cases.size(); ++i) {
    const Explanation& one = explained.cases[i];
    Row of_case;
    of_case.number(kCase, i + 1);
    of_case.text(kKind, name_of(one.kind));
    of_case.number(kBegin, nanoseconds_of(statistics, one.begin));
    of_case.number(kLength, nanoseconds_of(statistics, one.length()));
    of_case.number(kThread, one.thread);
    of_case.text_of(kThreadName, statistics.name_of(one.thread));
    of_case.number_of(kCpu, one.cpu);
    if (one.label) {
      of_case.text(kCategory, one.label->category);
      of_case.text(kName, one.label->name);
    } else if (one.object) {
      of_case.text(kCategory, one.object->label.category);
      of_case.text(kName, name_of_lock(statistics, *one.object));
    }
    if (one.budget_line != 0) of_case.number(kBudgetLine, one.budget_line);
    of_case.text(kSentence, sentence(explained, one));
    of_case.real(kUnknownShare, unknown_share(one));
    for (const Part& part : one.parts) add_cause(rows.add(of_case), statistics, one, part);
  }
}

}  // namespace barefxt::host
