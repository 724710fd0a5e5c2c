// An archive as a table in an Apache Parquet file, a row for each record of something that
// happened, for DuckDB, ClickHouse, Spark and others that query many traces at once.
// docs/how-to/fleets.md lists the columns and shows queries.
//
// Invariant: memory is bounded but for the names of processes and threads: rows go out in groups,
// in the archive's order.
#pragma once

#include <memory>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/convert.h>
#include <barefxt/host/reader.h>

namespace barefxt::host {

class ParquetConverter {
 public:
  explicit ParquetConverter(ByteSink& sink);
  ~ParquetConverter();
  ParquetConverter(const ParquetConverter&) = delete;
  ParquetConverter& operator=(const ParquetConverter&) = delete;

  // Remembers threads from records ahead of those that refer to them.
  void learn(const Record& record);
  // The archive's records, one after another, and the state that applies to each.
  void see(const Record& record, const ProviderState& state);
  Status finish();
  // Something failed, so converting more is useless; finish() returns the error.
  bool failed() const;
  const ChangeCounts& changes() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace barefxt::host
