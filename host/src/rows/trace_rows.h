// The rows that `check`, `explain` and `stats` write of one trace. docs/reference/rows.md lists the
// columns.
//
// Invariants: every row has the identity of its trace. A trace without rows of its own, such as one
// that cannot be read, has one with the identity alone. `known` is there only where nothing of the
// trace is missing.
#pragma once

#include <string>
#include <vector>

#include <barefxt/host/check.h>
#include <barefxt/host/explain.h>

#include "row.h"

namespace barefxt::host {

using Columns = std::vector<ParquetWriter::Column>;

// The names of a trace, by those who recorded it.
struct TraceIdentity {
  std::string file;
  std::string build;    // hexadecimal, or as the user gives it; empty: not known
  std::string session;  // the capture's id, hexadecimal; empty: not known
};

class TraceRows {
 public:
  explicit TraceRows(TraceIdentity identity) : identity_(std::move(identity)) {}

  TraceIdentity& identity() { return identity_; }
  // `is_whole`: all of the input is in the statistics.
  void describe(const Statistics& statistics, bool is_whole);
  Row& add(Row begun = {}) { return rows_.emplace_back(std::move(begun)); }

  bool is_empty() const { return rows_.empty(); }

  // Each row with the identity, its exit status by itself, and the messages about it.
  std::vector<std::string> finish(int status, const std::vector<std::string>& messages) const;

 private:
  TraceIdentity identity_;
  Row about_;
  std::vector<Row> rows_;
};

// One row for each rule; `checked` null: the trace cannot be read, and each rule is unknown.
const Columns& verdict_columns();
void add_verdicts(TraceRows& rows, const std::vector<TraceRule>& rules, const Checked* checked);

// One row for each cause of each explained interval.
const Columns& cause_columns();
void add_causes(TraceRows& rows, const Explained& explained);

// One row for each number.
const Columns& figure_columns();
void add_figures(TraceRows& rows, const Statistics& statistics);

// The columns of the identity, which every table begins with.
enum IdentityColumn : uint8_t {  // unscoped: indices
  kRowFile,
  kRowStatus,
  kRowMessage,
  kRowTarget,
  kRowBuild,
  kRowSession,
  kRowSpan,
  kRowKnown,
  kRowLostRecords,
  kRowLostShare,
  kIdentityColumns,
};
Columns with_identity(const Columns& own);
// Ticks as nanoseconds, rounded down.
uint64_t nanoseconds_of(const Statistics& statistics, uint64_t ticks);

}  // namespace barefxt::host
