// Why something was late: intervals of a trace, each parted into its causes.
// docs/reference/explain.md defines every cause; names here are the names there.
//
// Invariants: the parts of an interval sum to its length, in ticks. A cause is recorded or follows
// from records; where losses, missing records or missing hooks leave it open, it is kUnknown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/budget.h>
#include <barefxt/host/fitted_output.h>
#include <barefxt/host/stats.h>

namespace barefxt::host {

enum class CauseKind : uint8_t {
  kRunning,        // the thread itself ran
  kHigher,         // a thread of higher priority ran
  kLower,          // a thread of lower or equal priority ran, though this one was ready
  kOther,          // another thread ran; which has the higher priority is not known
  kInterrupt,      // an interrupt ran
  kStall,          // an interrupt did not end for long, and its CPU recorded nothing meanwhile
  kIdle,           // the CPU idled, though the thread was ready
  kMigration,      // the thread went from an idle CPU to one on which another ran
  kHolder,         // the holder of the lock ran
  kHolderBlocked,  // the holder of the lock was blocked itself
  kBlocked,        // the thread waited, for nothing that somebody holds
  kUnknown,
};
inline constexpr size_t kCauseKinds = 12;
std::string_view name_of(CauseKind kind);

enum class UnknownReason : uint8_t {
  kNone,
  kLost,       // records were lost
  kThread,     // the thread's state is not recorded
  kCpu,        // the CPU's thread is not recorded
  kInterrupt,  // an interrupt may have been open that is not recorded
  kPlace,      // the CPU that it waited for is not known
  kHolder,     // the lock's holder is not recorded
  kDeep,       // more threads wait for each other than are followed
};
std::string_view name_of(UnknownReason reason);

// A lock that the one before waits for, and the thread that holds it.
struct HeldLock {
  ObjectKey lock;
  uint64_t holder = 0;
  bool operator==(const HeldLock&) const = default;
};

struct Cause {
  CauseKind kind = CauseKind::kUnknown;
  UnknownReason reason = UnknownReason::kNone;
  std::optional<unsigned> cpu;       // it is about
  std::optional<unsigned> from_cpu;  // of a migration: the idle one
  std::optional<uint64_t> thread;    // that ran there, or held the lock
  std::optional<unsigned> priority;  // of that
  std::optional<unsigned> over;      // the priority of the thread that waited for the CPU
  std::string interrupt;
  std::vector<HeldLock> locks;      // from the thread's own wait to what is kept off
  std::optional<ObjectKey> object;  // of kBlocked: what it waited for
  bool is_free = false;             // of kBlocked: nobody held it
  bool is_inversion = false;        // the holder was kept off by a priority in between
  bool is_cycle = false;            // of kHolderBlocked: they wait for each other
  bool operator==(const Cause&) const = default;
};

struct Part {
  Cause cause;
  uint64_t ticks = 0;
  uint64_t times = 0;  // stretches
  uint64_t longest = 0;
};

struct CauseStretch {
  uint64_t begin;
  uint64_t end;
  size_t part;  // its number among the parts
};

enum class CaseKind : uint8_t { kLatency, kReady, kOff, kLockWait, kDuration, kFlow };
inline constexpr size_t kCaseKinds = 6;
std::string_view name_of(CaseKind kind);

// A link of the chain of wakeups, backwards: at this time this thread was woken.
struct Wakening {
  uint64_t time;
  uint64_t thread;
  std::optional<unsigned> cpu;
  std::optional<uint64_t> waker;  // null: an interrupt, or unknown
  std::string interrupt;          // "": none
  bool is_interrupt = false;
};

// A stretch of a flow's critical path.
struct PathStretch {
  uint64_t begin;
  uint64_t end;
  uint64_t thread;
};

struct Explanation {
  CaseKind kind = CaseKind::kLatency;
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t offset = 0;  // of the record that ended it
  uint64_t thread = 0;
  std::optional<unsigned> cpu;          // that it ran on at the end
  std::optional<ProbeName> label;       // of a duration or flow
  std::optional<ObjectKey> object;      // of a wait for a lock
  unsigned budget_line = 0;             // that it violates; 0: none
  std::vector<Part> parts;              // the largest first
  std::vector<CauseStretch> stretches;  // in order of time
  uint64_t stretches_left_out = 0;      // earlier ones
  std::vector<Wakening> chain;          // the latest first
  bool chain_is_whole = false;          // it leads to an interrupt
  std::vector<PathStretch> path;        // of a flow, in order of time
  bool path_is_whole = false;           // it leads to the flow's begin

  uint64_t length() const { return end - begin; }
};

struct Explained {
  Statistics statistics;
  std::vector<Explanation> cases;  // the longest first, line by line of a budget
  uint64_t looked_at = 0;          // intervals of the kind asked for
  bool interrupts_recorded = false;
  bool priorities_ordered = false;  // larger numbers are higher, as far as the trace shows
};

struct ExplainOptions {
  static constexpr size_t kMaxCases = 1000;
  static constexpr size_t kMaxLines = 20;  // of a budget

  size_t worst = 5;           // of each line of a budget
  bool of_each_kind = false;  // so many of each kind but kOff, without any of the options below
  // Intervals that it leaves: docs/reference/explain.md. Causes come from all records.
  Selection selection = {};
  // At most one of these; none: wakeup latencies, and all delays of selected threads.
  std::optional<TimeBound> at = {};
  std::string lock = {};
  std::string flow = {};
  std::string slice = {};
  std::vector<BudgetLine> budget = {};        // intervals that violate these lines
  size_t sorted_in_memory = size_t{1} << 16;  // as in StatisticsOptions
};

Result<Explained> explain(Source& source, Form form, const ExplainOptions& options = {});

// The violated lines that are about intervals: the first kMaxLines.
std::vector<BudgetLine> lines_to_explain(const std::vector<Verdict>& verdicts);

// One sentence: what was late, and the cause of the most of it.
std::string sentence(const Explained& explained, const Explanation& one);
// The change that would have kept it from being late.
std::string remedy(const Explained& explained, const Explanation& one);

// Lines are as long as they are: FittedOutput breaks them. `look` has the colours, and whether
// there is room for bars.
void print_explanations(Output& out, const Explained& explained, const TextLook& look = {0, false});
// At most ten lines.
void print_explanation(Output& out, const Explained& explained, const Explanation& one);
void print_explanations_json(Output& out, const Explained& explained);

}  // namespace barefxt::host
