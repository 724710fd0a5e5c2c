// An archive as a trace in Perfetto's own format, which has a place for what its importer of
// archives passes over: logs, losses, switches of threads that no kernel object names.
//
// Pieces wait, in a temporary file where they are many, to be put into the order of time. State
// grows with the number of processes, threads, counters and of asynchronous operations that are
// open, which is bounded. docs/reference/conversions.md shows the result for each record.
#pragma once

#include <barefxt/host/added_records.h>
#include <barefxt/host/archive_wakers.h>
#include <barefxt/host/archive_writer.h>
#include <barefxt/host/converter.h>
#include <barefxt/host/elf_file.h>

namespace barefxt::host {

class PerfettoConverter : public Converter {
 public:
  // `wakers` and `added`: of the archive that is converted, the latter with all ends. `program`:
  // the one that ran, or null: gives samples the names of functions, and outlives the converter.
  PerfettoConverter(ByteSink& sink, ArchiveWakers& wakers, AddedRecords& added,
                    const ElfFile* program = nullptr);
};

}  // namespace barefxt::host
