// Records for an archive with losses, so that a viewer shows no more than is known. They are ends
// of durations that a loss cut, begins that ends lack, and switches to the idle thread for the time
// of a loss. Each has the argument kAddedArgument (own_events.h).
//
// A loss on a CPU ends all durations of its pseudo-thread. On other threads it ends those that the
// rest of the archive does not show to go on (../../src/convert/slice_judge.h). In a provider's
// records with such a loss an end ends the unmatched durations inside its own first, and one whose
// begin is nowhere gets a begin of the same time.
//
// Invariants: nothing is added to an archive without a loss behind a record, nor twice. The archive
// is read up to two more times, in linear time; memory is bounded. At a bound, fewer records are
// added.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/perfetto_logs.h>
#include <barefxt/host/reader.h>

namespace barefxt::host {

struct AddedRecord {
  enum class Kind : uint8_t { kBegin, kEnd, kSwitch };
  Kind kind;
  uint64_t time;         // ticks
  std::string_view why;  // the value of kAddedArgument

  // Begins and ends only.
  uint64_t process = 0;
  uint64_t thread = 0;
  std::string_view category = {};  // NOLINT(readability-redundant-member-init): for GCC
  std::string_view name = {};      // NOLINT(readability-redundant-member-init): for GCC

  // Switches only. The outgoing thread stays runnable; 0 is the idle thread of any CPU.
  unsigned cpu = 0;
  uint64_t outgoing = 0;
  uint64_t incoming = 0;
  int32_t weight = 0;  // of the incoming thread
};

class AddedRecords {
 public:
  // Which ends close unmatched durations inside their own.
  enum class Ends : uint8_t { kBehindLosses, kAll };

  // `passed` as Reader::on_passed has it.
  AddedRecords(Bytes bytes, Form form, Reader::Passed passed = {}, Ends ends = Ends::kBehindLosses);
  ~AddedRecords();
  AddedRecords(const AddedRecords&) = delete;
  AddedRecords& operator=(const AddedRecords&) = delete;

  // The records to add ahead of this one. Call it once for each record of the archive, in order.
  // Valid until the next call.
  std::span<const AddedRecord> before(const Record& record);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Writes one into an archive.
void write_added(ArchiveWriter& writer, const AddedRecord& added);

// Writes the records of an archive with what has to be added. `sink` gets no magic number.
Status write_with_added(Bytes archive, Form form, const Reader::Passed& passed, ByteSink& sink,
                        LogPackets packets);

}  // namespace barefxt::host
