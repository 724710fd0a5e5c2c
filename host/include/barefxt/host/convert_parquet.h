// An archive as a table in an Apache Parquet file, a row for each record of something that
// happened, for DuckDB, ClickHouse, Spark and others that query many traces at once.
// docs/how-to/fleets.md lists the columns and shows queries.
//
// Invariant: memory is bounded but for the names of processes and threads: rows go out in groups,
// in the archive's order.
#pragma once

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/converter.h>
#include <barefxt/host/elf_file.h>

namespace barefxt::host {

class ParquetConverter : public Converter {
 public:
  // `program`: the one that ran, or null: gives samples the names of functions, and outlives the
  // converter.
  explicit ParquetConverter(ByteSink& sink, const ElfFile* program = nullptr);
  // Remembers threads, samples, and whether records are missing, ahead of the rows.
  void learn(const Record& record);
  // Something else of the trace is missing.
  void miss();
};

}  // namespace barefxt::host
