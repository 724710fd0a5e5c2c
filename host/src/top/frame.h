// One look at a capture that is arriving, as plain values: what `barefxt top` shows.
//
// Figures are those of stats.h over all that is merged; `now` is over about the last second. Names
// are as recorded: whoever shows them makes them safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace barefxt::top {

struct CpuRow {
  unsigned cpu = 0;
  std::optional<double> now;  // share of busy time
  double busy = 0;            // shares, of the time that the CPU is observed
  double idle = 0;
  double unknown = 0;
  double lost = 0;  // share of the trace
  uint64_t switches = 0;
};

struct ThreadRow {
  uint64_t koid = 0;
  std::string name;
  bool is_idle = false;
  std::optional<double> now;  // share of a CPU
  double running = 0;         // as `stats` has them
  double runnable = 0;
  double blocked = 0;  // with waiting, which is blocked or runnable
  double unknown = 0;
  uint64_t switches = 0;
  uint64_t wakeups = 0;
  std::optional<uint64_t> worst_latency;  // ticks, from wakeup to running
  uint64_t worst_at = 0;                  // when it ran
};

struct InterruptRow {
  unsigned cpu = 0;
  std::string name;
  uint64_t count = 0;
  double rate = 0;  // a second
  uint64_t total = 0;
  uint64_t longest = 0;
};

struct LockRow {
  std::string name;
  uint64_t waits = 0;
  uint64_t waiting = 0;  // that have not ended
  uint64_t total = 0;
  uint64_t longest = 0;
  std::string holder;  // of the longest; empty if it is unknown
};

struct CounterRow {
  std::string name;
  bool is_real = false;
  double last = 0;
  double least = 0;
  double most = 0;
  std::vector<double> history;  // oldest first, one for each look
};

struct LossRow {
  std::string thread;  // that stands for the CPU
  std::string where;   // ring or line
  uint64_t times = 0;
  uint64_t records = 0;
  bool is_lower_bound = false;
};

struct LineFacts {
  std::string name;
  uint64_t bytes = 0;
  double bytes_per_second = 0;
  uint64_t records = 0;  // that have arrived
  uint64_t lost = 0;     // on the target, as it reports
  double seconds = 0;    // since the line was opened
  double silent = 0;     // seconds since the last bytes
  std::string ended;     // why it ended; empty: it has not
};

struct Frame {
  LineFacts line;
  std::string target;
  bool has_begun = false;           // records are merged
  bool is_over = false;             // the end of the trace is merged
  bool is_final = false;            // the last frame
  uint64_t skipped = 0;             // lines of a batch that a slow reader has not got
  double span = 0;                  // seconds of trace that are merged
  double behind = 0;                // seconds of trace that have arrived and wait
  std::optional<unsigned> held_by;  // the CPU that they wait for
  uint64_t late_records = 0;
  uint64_t ticks_per_second = 1;
  uint64_t first = 0;  // ticks
  std::vector<CpuRow> cpus;
  std::vector<ThreadRow> threads;
  std::vector<InterruptRow> interrupts;
  std::vector<LockRow> locks;
  std::vector<CounterRow> counters;
  std::vector<LossRow> losses;
};

}  // namespace barefxt::top
