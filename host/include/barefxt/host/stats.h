// Statistics of an archive: which threads ran and waited, for which others, how long at worst.
// docs/reference/statistics.md defines every number; names here are the names there.
//
// Archives in order of time are read as they stand. Others are sorted first, so the numbers do not
// depend on the order of records. Times are ticks of ticks_per_second, or nanoseconds if providers
// tick at different rates.
//
// Unknown time stays unknown: around losses and missing switches no thread is credited. A duration
// across a loss is `in doubt`: counted, but not measured.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <barefxt/host/distribution.h>
#include <barefxt/host/fitted_output.h>
#include <barefxt/host/jobs.h>
#include <barefxt/host/output.h>
#include <barefxt/host/reader.h>
#include <barefxt/host/selection.h>
#include <barefxt/host/status.h>

namespace barefxt::host {

// Kinds of a thread's time.
enum class ThreadTime : uint8_t {
  kRunning,
  kRunnable,
  kBlocked,
  kWaiting,  // not running; blocked or runnable, which only a wakeup would show
  kUnknown,
};
inline constexpr size_t kThreadTimeKinds = 5;
inline constexpr std::array<std::string_view, kThreadTimeKinds> kThreadTimeNames = {
    "running", "runnable", "blocked", "waiting", "unknown"};

// Why a thread left its CPU.
enum class SwitchCause : uint8_t { kPreempted, kYielded, kBlocked, kEnded, kOther };
inline constexpr size_t kSwitchCauses = 5;
inline constexpr std::array<std::string_view, kSwitchCauses> kSwitchCauseNames = {
    "preempted", "yielded", "blocked", "ended", "other"};

struct Switches {
  std::array<uint64_t, kSwitchCauses> by_cause{};

  uint64_t total() const {
    uint64_t sum = 0;
    for (const uint64_t one : by_cause) sum += one;
    return sum;
  }
};

struct CpuStatistics {
  uint64_t observed = 0;  // from its first switch to the end
  uint64_t busy = 0;
  uint64_t idle = 0;
  uint64_t unknown = 0;
  uint64_t lost = 0;  // within losses
  Switches switches;
};

struct ThreadStatistics {
  std::array<uint64_t, kThreadTimeKinds> time_in{};
  std::vector<std::pair<unsigned, uint64_t>> running_by_cpu;
  Switches switches;
  uint64_t runs = 0;  // times it was switched to
  uint64_t wakeups = 0;
  uint64_t missing_wakeups = 0;  // times it ran after it had blocked without one
  Distribution latency;          // from wakeup to running
  Distribution run;              // from switched to, to switched from
  Distribution block;            // from blocking to the wakeup

  uint64_t time(ThreadTime what) const { return time_in[static_cast<size_t>(what)]; }
  uint64_t observed() const {
    uint64_t sum = 0;
    for (const uint64_t one : time_in) sum += one;
    return sum;
  }
};

struct ThreadName {
  std::string name;
  std::optional<uint64_t> process;
};

// The rows that time of threads is added up in.
enum class GroupBy : uint8_t { kThread, kName, kProcess };

struct ThreadGroup {
  std::optional<uint64_t> process;  // all are of it; null: of a group by name, or not recorded
  std::string name;
  bool idle = true;  // all are
  uint64_t threads = 0;
  ThreadStatistics sum;
};

struct InterruptStatistics {
  Distribution length;
  uint64_t nested = 0;    // of them, within another
  uint64_t deepest = 0;   // how many within each other, this one the innermost; 1: not nested
  uint64_t own = 0;       // ticks, without those of others within
  Distribution kept_off;  // those that interrupted a thread, not idle and not another interrupt
  uint64_t kept_off_longest = 0;  // the thread of the longest
};

struct DurationStatistics {
  Distribution total;
  uint64_t self = 0;        // without durations (of a call: calls) within them
  uint64_t self_count = 0;  // durations in `self`: those without a lost part
  uint64_t in_doubt = 0;
  uint64_t unended = 0;  // begun, and no end is recorded
};

struct CounterStatistics {
  bool real = false;  // some sample is a double
  uint64_t samples = 0;
  __int128 least = 0;
  __int128 most = 0;
  __int128 last = 0;
  uint64_t least_at = 0;  // time of the first of the least
  double least_real = 0;
  double most_real = 0;
  double last_real = 0;
  long double sum = 0;
  long double weighted = 0;  // each value times the ticks that it stood
  uint64_t covered = 0;      // ticks in which the value is known

  double mean() const { return samples == 0 ? 0 : static_cast<double>(sum / samples); }
  double time_weighted_mean() const {
    return covered == 0 ? mean() : static_cast<double>(weighted / covered);
  }
};

struct FlowStatistics {
  uint64_t begun = 0;
  uint64_t steps = 0;
  uint64_t ended = 0;
  uint64_t in_doubt = 0;    // ended, with a loss in between
  uint64_t unfinished = 0;  // begun again, or never ended
  Distribution end_to_end;
};

struct ContentionStatistics {
  Distribution wait;
  // The parts of the waits by holder; null where that is not known.
  std::map<std::optional<uint64_t>, Distribution> by_holder;
  uint64_t woken_in_vain = 0;  // times a thread ran during a wait only to wait again
  uint64_t unfinished = 0;     // waits that had not ended at the end, not among those above
};

// A thread waited for one of lower priority, which was kept off its CPU by one in between.
struct PriorityInversion {
  uint64_t waits = 0;
  uint64_t times = 0;  // that the holder was kept off, in all of these waits
  uint64_t ticks = 0;
  Extent longest;  // the wait with the most of that
  uint64_t longest_ticks = 0;
};

struct LossStatistics {
  uint64_t times = 0;
  uint64_t records = 0;
  uint64_t bytes = 0;
  bool records_unknown = false;  // in part or all of it: the numbers above are a lower bound
  bool bytes_unknown = false;
  uint64_t first = 0;
  uint64_t last = 0;
};

struct ProbeName {
  std::string category;
  std::string name;
  auto operator<=>(const ProbeName&) const = default;
};

struct InterruptKey {
  unsigned cpu;
  std::string name;
  auto operator<=>(const InterruptKey&) const = default;
};
struct CounterKey {
  ProbeName label;
  uint64_t id;
  std::string argument;
  auto operator<=>(const CounterKey&) const = default;
};
struct ObjectKey {
  ProbeName label;
  std::optional<uint64_t> pointer;
  auto operator<=>(const ObjectKey&) const = default;
};
// "mutex", "semaphore", "queue", "event", "condition", "lock" or "other": what is waited for, by
// the category and name of the wait.
std::string_view kind_of_wait(const ProbeName& wait);

struct InversionKey {
  ObjectKey object;
  uint64_t waiter;
  uint64_t holder;
  uint64_t runner;  // the one in between
  auto operator<=>(const InversionKey&) const = default;
};

// Lengths above it are counted, of every set.
struct Threshold {
  std::string text;  // as the user gives it
  TimeBound time;
};
struct TicksAbove {
  std::string text;
  uint64_t ticks;
};

struct StatisticsOptions {
  Precision precision = Precision::kSketch;
  size_t sorted_in_memory = size_t{1} << 16;  // records, of an archive out of order
  Selection selection;
  GroupBy group_by = GroupBy::kThread;
  std::vector<ThreadDeadline> deadlines;  // the last that fits a thread holds
  std::vector<Threshold> above;
};

class TimelineObserver;

// Calls that the target left out because of its limits, as it counted them.
struct LeftOutCallsStatistics {
  uint64_t too_short = 0;
  uint64_t too_deep = 0;
  uint64_t without_end = 0;
  uint64_t open = 0;  // had not ended

  uint64_t all() const { return too_short + too_deep + without_end + open; }
};

struct Statistics {
  uint64_t ticks_per_second = ProviderState::kDefaultTicksPerSecond;
  bool timed = false;  // some record has a timestamp
  uint64_t first = 0;  // of what is looked at
  uint64_t last = 0;
  bool sorted = false;    // the archive was not in order of time
  uint64_t left_out = 0;  // records of threads, names and so on beyond the limits
  Precision precision = Precision::kSketch;

  uint64_t records = 0;
  std::map<std::string, uint64_t> records_by_kind;
  std::map<unsigned, CpuStatistics> cpus;
  std::map<uint64_t, ThreadStatistics> threads;
  std::map<uint64_t, ThreadName> names;
  std::map<uint64_t, std::string> process_names;
  std::string target;                            // the name of the first provider
  std::string build_id;                          // bytes, of the first module of code
  std::map<uint64_t, std::string> object_names;  // of what is neither thread nor process
  // True if there is a record of this kind.
  bool waits_recorded = false;  // of a lock, or of a wait for an object
  bool wakeups_recorded = false;
  bool priorities_recorded = false;
  GroupBy group_by = GroupBy::kThread;
  std::vector<ThreadGroup> groups;  // of `threads`, unless these are the rows
  std::map<InterruptKey, InterruptStatistics> interrupts;
  // Wakeups by interrupts that have no records of their own: the kernel does not announce them.
  std::map<InterruptKey, uint64_t> unannounced_interrupts;
  std::map<ProbeName, DurationStatistics> durations;  // but for calls
  std::map<std::string, DurationStatistics> functions;
  std::optional<LeftOutCallsStatistics> calls_left_out;  // if an archive has it
  uint64_t unmatched_ends = 0;
  uint64_t unmatched_begins = 0;
  std::map<CounterKey, CounterStatistics> counters;
  std::map<ProbeName, FlowStatistics> flows;
  std::map<ObjectKey, ContentionStatistics> contention;
  std::map<InversionKey, PriorityInversion> inversions;
  std::map<JobKey, JobStatistics> jobs;
  std::vector<TicksAbove> above;
  std::map<std::pair<std::string, std::string>, LossStatistics> losses;  // thread's name, where
  uint64_t loss_ticks = 0;  // in which records of some CPU were lost
  uint64_t buffer_full_events = 0;

  uint64_t malformed_places = 0;
  uint64_t malformed_bytes = 0;
  uint64_t forgotten_providers = 0;  // see Reader

  uint64_t span() const { return last - first; }
  // Nothing is known to be missing.
  bool is_whole() const {
    return losses.empty() && buffer_full_events == 0 && malformed_places == 0 && left_out == 0;
  }
  bool is_idle(uint64_t thread) const;
  std::string name_of(uint64_t thread) const;
  // The registered name of what is waited for; empty where there is none.
  std::string name_of(const ObjectKey& object) const;
  double seconds(double ticks) const {
    return ticks_per_second == 0 ? 0 : ticks / static_cast<double>(ticks_per_second);
  }
};

// Reads the archive twice, and sorts it in between where that is needed. Fails where what is sorted
// cannot be put aside.
Result<Statistics> collect_statistics(Source& source, Form form,
                                      const StatisticsOptions& options = {},
                                      TimelineObserver* observer = nullptr);

// Durations of this category are calls of functions.
inline constexpr std::string_view kCallCategory = "function";
// Here: waits for locks.
inline constexpr std::string_view kLockCategory = "lock";

// The CPU in a pseudo-thread's name, "cpu-3".
std::optional<unsigned> cpu_of_name(std::string_view name);

// The part to print: everything, or only calls of functions, or stacks, and the unknown time.
enum class Shown : uint8_t { kAll, kFunctions, kStacks };

// `comparison` prints the value of the key "baseline", if it is given.
void print_statistics_json(Output& out, const Statistics& statistics, Shown shown = Shown::kAll,
                           const std::function<void(Output&)>& comparison = {});
void print_statistics(Output& out, const Statistics& statistics, Shown shown = Shown::kAll,
                      const TextLook& look = {});

}  // namespace barefxt::host
