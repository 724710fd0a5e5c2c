// Proposes rules from good traces, for people to edit: periods, bounds with a margin, orders.
//
// Each trace is read twice: see() all of them, then hold() each to what that suggests.
//
// Invariants: a proposed rule holds in at least one of the traces, is violated in none, and was
// kept in at least kMinCases cases. A trace with losses confirms no rule, and refutes some. The
// order in which traces come changes nothing. Memory is bounded by the limits of names in one
// trace, and by kMaxLearned, beyond which only what came first counts.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <barefxt/host/check.h>

namespace barefxt::host {

struct LearnOptions {
  unsigned margin = 25;                       // percent, that bounds lie beyond the extremes
  size_t most = 50;                           // rules in the text, the most supported ones
  size_t sorted_in_memory = size_t{1} << 16;  // as in StatisticsOptions
};

inline constexpr uint64_t kMinCases = 10;
inline constexpr size_t kMaxLearned = size_t{1} << 16;  // different things that traces suggest

// The subjects that rules are proposed about.
enum class LearnedKind : uint8_t {
  kSliceLength,
  kIrqLength,
  kLatency,  // from a thread's wakeup until it runs
  kFlow,
  kHold,  // of a lock
  kCounter,
  kSlicePeriod,
  kIrqPeriod,
  kInstantPeriod,
  kWakeupPeriod,
  kOrder,  // of two events of a thread, which are in `name` and `second` as a rule has them
};
inline constexpr size_t kLearnedKinds = 11;

struct Learned {
  LearnedKind kind;
  std::string name;
  std::string second = {};  // a counter's argument
  auto operator<=>(const Learned&) const = default;
};

// The measures of all traces: nanoseconds, or values of a counter.
struct Evidence {
  uint64_t cases = 0;
  uint64_t traces_without_loss = 0;
  long double least = 0;
  long double most = 0;
  // A counter's last value, in all traces: it may be a sum that grows with the trace, or shrinks.
  bool last_is_most = true;
  bool last_is_least = true;
  bool is_whole = true;  // all values are integers

  void add(const Evidence& other);
};
using LearnedSet = std::map<Learned, Evidence>;

class Learner {
 public:
  explicit Learner(const LearnOptions& options) : options_(options) {}

  // The statistics are those of the trace.
  Result<Statistics> see(Source& source, Form form);
  Status hold(Source& source, Form form);

  // The file of rules, each behind a comment with its support; empty without any.
  std::string text() const;
  uint64_t traces() const { return traces_; }
  uint64_t traces_with_loss() const { return traces_ - traces_without_loss_; }

 private:
  struct Candidate {
    std::string rule;
    std::string extreme;
    uint64_t cases = 0;  // as the traces suggest
    uint64_t kept = 0;   // where it holds
    uint64_t traces = 0;
    bool is_refuted = false;
  };

  void propose();
  void add_candidate(std::string rule, std::string extreme, uint64_t cases);
  void add_bounds_of(const Learned& what, const Evidence& evidence);
  void add_period_of(const Learned& what, const Evidence& evidence);
  void add_counter(const Learned& what, const Evidence& evidence);

  LearnOptions options_;
  LearnedSet learned_;
  uint64_t traces_ = 0;
  uint64_t traces_without_loss_ = 0;
  bool has_proposed_ = false;
  std::vector<Candidate> candidates_;
  std::vector<TraceRule> rules_;  // of the candidates
};

}  // namespace barefxt::host
