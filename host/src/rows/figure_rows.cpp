// Rows of `stats`: each number, times in nanoseconds.
#include <barefxt/host/measures.h>

#include "trace_rows.h"

namespace barefxt::host {
namespace {

struct FigureColumns {
  enum Index : uint8_t {  // unscoped: indices
    kMetric = kIdentityColumns,
    kCpu,
    kThread,
    kThreadName,
    kProcess,
    kProcessName,
    kCategory,
    kName,
    kArgument,
    kObject,
    kObjectName,
    kHolderName,
    kRunnerName,
    kStatistic,
    kUnit,
    kValue,
    kMissing,
    kBegin,
    kEnd,
  };
};

void add_subject(Row& row, const Subject& subject) {
  using enum FigureColumns::Index;
  row.number_of(kCpu, subject.cpu);
  row.number_of(kThread, subject.thread);
  row.text_of(kThreadName, subject.thread_name);
  row.number_of(kProcess, subject.process);
  row.text_of(kProcessName, subject.process_name);
  row.text_of(kCategory, subject.category);
  row.text_of(kName, subject.name);
  row.text_of(kArgument, subject.argument);
  row.number_of(kObject, subject.object);
  row.text_of(kObjectName, subject.object_name);
  row.text_of(kHolderName, subject.holder_name);
  row.text_of(kRunnerName, subject.runner_name);
}

}  // namespace

const Columns& figure_columns() {
  using enum ParquetType;
  static const Columns kColumns = with_identity({
      {"metric", kText},      {"cpu", kSigned},       {"thread", kSigned},
      {"thread_name", kText}, {"process", kSigned},   {"process_name", kText},
      {"category", kText},    {"name", kText},        {"argument", kText},
      {"object", kSigned},    {"object_name", kText}, {"holder_name", kText},
      {"runner_name", kText}, {"statistic", kText},   {"unit", kText},
      {"value", kReal},       {"missing", kText},     {"begin_time", kSigned},
      {"end_time", kSigned},
  });
  return kColumns;
}

void add_figures(TraceRows& rows, const Statistics& statistics) {
  using enum FigureColumns::Index;
  const auto time = [&](uint64_t ticks) { return nanoseconds_of(statistics, ticks); };
  for_each_measure(statistics, [&](const Measure& one) {
    Row& row = rows.add();
    row.text(kMetric, one.metric);
    add_subject(row, one.subject);
    row.text(kStatistic, one.statistic);
    const bool is_time = one.unit == Unit::kTicks && statistics.ticks_per_second != 0;
    row.text(kUnit, is_time ? "ns" : name_of(one.unit));
    row.real(kValue, is_time ? statistics.seconds(one.value) * 1e9 : one.value);
    row.text_of(kMissing, missing_for(statistics, one.metric));
    if (one.where == nullptr) return;
    row.number(kBegin, time(one.where->begin));
    row.number(kEnd, time(one.where->end));
  });
}

}  // namespace barefxt::host
