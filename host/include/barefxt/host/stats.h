// What an archive adds up to: time per CPU and thread, switches, interrupts, latencies, losses.
//
// How time is told: an archive in order of time is read as it stands, any other is sorted first, so
// the numbers do not depend on the order of records. All times are ticks of ticks_per_second; where
// providers tick at different rates, all of it is in nanoseconds instead.
//
// What a CPU did is known from its first context switch to the end of the trace. Where records were
// lost, or a switch leaves another thread than the one before brought in, nobody is credited: that
// time is `unknown`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include <barefxt/host/output.h>
#include <barefxt/host/reader.h>

namespace barefxt::host {

// Count, sum and extremes of a set of times.
struct Durations {
  std::uint64_t count = 0;
  std::uint64_t total = 0;
  std::uint64_t shortest = 0;
  std::uint64_t longest = 0;

  void add(std::uint64_t ticks) {
    shortest = count == 0 || ticks < shortest ? ticks : shortest;
    longest = ticks > longest ? ticks : longest;
    total += ticks;
    ++count;
  }
  double mean() const {
    return count == 0 ? 0.0 : static_cast<double>(total) / static_cast<double>(count);
  }
};

struct CpuStatistics {
  std::uint64_t switches = 0;
  std::uint64_t first_switch = 0;
  std::uint64_t unknown = 0;
  std::map<std::uint64_t, std::uint64_t> by_thread;  // ticks by thread koid
};

struct ThreadStatistics {
  std::uint64_t runs = 0;  // times it was switched to
  std::uint64_t wakeups = 0;
  Durations latency;  // from wakeup to running
};

struct ThreadName {
  std::string name;
  std::optional<std::uint64_t> process;
};

struct InterruptStatistics {
  Durations each;
  std::uint64_t busy = 0;  // nested ones counted once
};

struct CounterStatistics {
  bool real = false;  // some sample is a double
  std::uint64_t samples = 0;
  __int128 least = 0;
  __int128 most = 0;
  __int128 last = 0;
  double least_real = 0;
  double most_real = 0;
  double last_real = 0;
};

struct FlowStatistics {
  std::uint64_t begun = 0;
  std::uint64_t steps = 0;
  std::uint64_t ended = 0;
};

struct LossStatistics {
  std::uint64_t times = 0;
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  bool records_unknown = false;  // in part or all of it: the numbers above are a lower bound
  bool bytes_unknown = false;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

struct Label {
  std::string category;
  std::string name;
  auto operator<=>(const Label&) const = default;
};

struct Statistics {
  std::uint64_t ticks_per_second = ProviderState::kDefaultTicksPerSecond;
  bool timed = false;  // some record has a timestamp
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool sorted = false;         // the archive was not in order of time
  std::uint64_t left_out = 0;  // records that did not fit into what may be remembered

  std::uint64_t records = 0;
  std::map<std::string, std::uint64_t> records_by_kind;
  std::map<unsigned, CpuStatistics> cpus;
  std::map<std::uint64_t, ThreadStatistics> threads;
  std::map<std::uint64_t, ThreadName> names;
  std::map<unsigned, InterruptStatistics> interrupts;
  std::map<Label, Durations> durations;
  std::uint64_t unmatched_ends = 0;
  std::uint64_t unmatched_begins = 0;
  std::map<std::tuple<Label, std::uint64_t, std::string>, CounterStatistics> counters;
  std::map<Label, FlowStatistics> flows;
  std::map<std::pair<std::string, std::string>, LossStatistics> losses;  // thread's name, where
  std::uint64_t buffer_full_events = 0;

  std::uint64_t malformed_places = 0;
  std::uint64_t malformed_bytes = 0;

  bool is_idle(std::uint64_t thread) const;
  std::string name_of(std::uint64_t thread) const;
  std::uint64_t idle_ticks(const CpuStatistics& cpu) const;
  std::uint64_t busy_ticks(const CpuStatistics& cpu) const;
  // Over all CPUs.
  std::uint64_t ticks_of(std::uint64_t thread) const;
};

// Reads the archive once, and once more where it has to be sorted.
Statistics collect_statistics(Source& source, Form form);

// The CPU in a pseudo-thread's name, "cpu-3".
std::optional<unsigned> cpu_of_name(std::string_view name);

void print_statistics_json(Output& out, const Statistics& statistics);
void print_statistics(Output& out, const Statistics& statistics);

}  // namespace barefxt::host
