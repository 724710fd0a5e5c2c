// The picture that a viewer makes of an archive, and of the same in Perfetto's format: slices with
// their depth, and rows of threads on CPUs. It follows Perfetto's importer as observed, on the
// plain decoders, so that it shares no line with the tested code.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reader/plain_decoder.h"

namespace barefxt::test {

// A begin, an end, or a complete duration: its thread, its time in ns, its category and name.
struct SliceMark {
  bool is_end = false;
  uint64_t thread = 0;
  uint64_t time = 0;
  std::string label;
  auto operator<=>(const SliceMark&) const = default;
};

struct ShownSlice {
  SliceMark begin;
  SliceMark end;  // of a duration in two records, where it has ended
  bool has_end = false;
  bool is_complete = false;
  bool is_added = false;
  std::vector<size_t> around;  // indices of the slices that enclose it, the outermost first
};

struct ShownRow {
  uint64_t cpu = 0;
  uint64_t thread = 0;
  uint64_t from = 0;
  uint64_t to = 0;
};

struct Shown {
  std::vector<ShownSlice> slices;
  std::set<SliceMark> marks;         // of records that the target wrote
  std::vector<ShownRow> rows;        // of threads that are not idle
  uint64_t misplaced_ends = 0;       // without anything open
  uint64_t wrong_ends = 0;           // of what has another name than what they close
  uint64_t open = 0;                 // that never end
  uint64_t mismatched_switches = 0;  // away from another thread than was switched to
  uint64_t added = 0;
  uint64_t misplaced_interrupt_ends = 0;  // on Perfetto's tracks of CPUs' interrupts
  uint64_t open_interrupts = 0;
  std::map<SliceMark, size_t> depths() const;  // by their begins, without what was added
};

// The logs that the importer shows: none, or those that have packets.
enum class ShownLogs : uint8_t { kNone, kPoints };

Shown shown_of_archive(const PlainArchive& archive, ShownLogs logs = ShownLogs::kNone);
// Names of slices that end are those of their begins: this format's ends have none.
Shown shown_of_perfetto(const std::string& trace);

}  // namespace barefxt::test
