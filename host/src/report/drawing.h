// All drawable content of an archive: lanes, and the items in them.
//
// Invariants: items are in order of their ends; every lane, label and shape that an item names
// exists. Beyond kMaxItems items, or kMaxTextBytes of text, only the beginning is drawn, so
// memory is bounded. States of threads and CPUs, and lengths of durations, come from the fold of
// the statistics, and add up to their numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/stats.h>

namespace barefxt::report {

enum class LaneKind : uint8_t { kCpu, kThread, kAsync, kCounter };

struct Lane {
  LaneKind kind;
  uint64_t id;  // number of the CPU, koid of the thread, counter's id
  std::string name;
  std::optional<uint64_t> process;  // of a thread, where it is known
  bool idle = false;
  bool is_baseline = false;  // of another run (baseline.h)
  unsigned rows = 0;         // of durations within each other
};

enum class ItemKind : uint8_t {
  kRun,       // a thread ran; lane: the thread's, other: the CPU's
  kState,     // a thread did not run; other: a ThreadTime
  kUnknown,   // it is not known what the CPU did
  kLost,      // records of the CPU were lost
  kDuration,  // other: its row
  kInstant,
  kWakeup,
  kLog,
  kCounter,  // a value, which its text gives, as long as it stood
  kFlow,     // a place where a flow was
  kArrow,    // from one place of a flow to the next; other: the lane there
};

// An unknown time, as it seemed until the record at its end, which shows that some are missing.
enum class Seemed : uint8_t {
  kUnknown,
  kRunning,   // of a CPU: busy
  kRunnable,  // of a CPU: idle
  kBlocked
};

struct Item {
  uint64_t begin;
  uint64_t end;
  uint64_t offset;  // of the record that ended it, host::kNoRecord where none did
  uint32_t lane;
  uint32_t other = 0;
  uint32_t label = 0;
  uint32_t shape = 0;  // what the parts of its text are
  uint32_t text = 0;   // where it begins among the texts
  ItemKind kind;
  Seemed seemed = Seemed::kUnknown;  // of kUnknown and a state that is unknown, ahead of its end
  bool doubtful : 1 = false;         // its end is not recorded, or a loss lies in between
  bool late : 1 = false;             // of a state: a wakeup latency, not cut to the drawn stretch
  bool single : 1 = false;           // of a duration: one record has all of it
  bool assumed : 1 = false;  // of a run behind a loss: only the switch at its end shows who ran
};
// There are millions of them.
static_assert(sizeof(Item) == 48);

struct Field {
  std::string name;
  std::string type;
};
using Shape = std::vector<Field>;

struct Drawing {
  static constexpr size_t kMaxItems = size_t{1} << 22;
  static constexpr size_t kMaxTextBytes = size_t{1} << 28;
  static constexpr unsigned kMaxRows = 24;  // what is nested deeper lies in the last
  static constexpr char kBetweenParts = '\x1f';
  static constexpr char kEndOfText = '\n';

  host::Statistics statistics;  // of what is drawn
  // Statistics of the whole request, if only its beginning is drawn.
  std::optional<host::Statistics> of_all;
  std::string archive;  // what it is called
  std::vector<Lane> lanes;
  std::vector<host::ProbeName> labels;
  std::vector<Shape> shapes;
  // Arguments of items, the parts of each between kBetweenParts, each ended by kEndOfText; neither
  // occurs within.
  std::string texts;
  std::vector<Item> items;
  bool has_heaps = false;  // any event of a heap, in any stretch

  const host::Statistics& shown() const { return of_all ? *of_all : statistics; }
  std::string_view text_of(const Item& item) const {
    const std::string_view all = std::string_view(texts).substr(item.text);
    return all.substr(0, all.find(kEndOfText));
  }
};

host::Result<Drawing> draw(host::Source& source, host::Form form,
                           const host::StatisticsOptions& options,
                           size_t most_items = Drawing::kMaxItems);

}  // namespace barefxt::report
