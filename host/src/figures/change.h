// One measure of a set of lengths, old against new: did it grow by more than is relevant?
//
// docs/how-to/baselines.md describes the tests and what they assume.
#pragma once

#include <optional>
#include <vector>

#include <barefxt/host/baseline.h>

namespace barefxt::host {

// The lengths of a set in all runs of one side, in seconds.
class Lengths {
 public:
  // Those of one run.
  void add(const Distribution& run, double seconds_per_tick);
  // Call it once, behind the last add().
  void arrange();

  uint64_t count() const { return count_; }
  double longest() const { return longest_; }
  // No less, or no more, than the length of this rank, from 1 on.
  double at_least(uint64_t rank) const { return at(lows_, rank); }
  double at_most(uint64_t rank) const { return at(highs_, rank); }
  // How many lengths are longer, as far as their classes show.
  uint64_t above(double seconds) const;
  bool operator==(const Lengths& other) const = default;

  // How far the runs differ in the share of lengths up to `seconds`: squares of the deviations,
  // each over the variance that independent lengths have.
  struct Spread {
    double squares = 0;
    unsigned freedom = 0;
  };
  Spread spread_at(double seconds) const;

 private:
  struct Class {
    double seconds;
    uint64_t count;
    bool operator==(const Class&) const = default;
  };
  using Classes = std::vector<Class>;
  static double at(const Classes& classes, uint64_t rank);

  uint64_t count_ = 0;
  double longest_ = 0;
  Classes lows_;  // by their lower ends, summed up
  Classes highs_;
  std::vector<Classes> runs_;
};

// Times below this are this long, so that they have a logarithm.
inline constexpr double kMinSeconds = 1e-10;

enum class Judgement : uint8_t { kSame, kLonger, kShorter, kUnknown };

struct Change {
  Judgement judgement = Judgement::kUnknown;
  double old = 0;  // seconds
  double now = 0;
  // For an unknown quantile, lengths a side; for an unknown maximum, lengths of the baseline.
  double needs = 0;
  uint64_t above = 0;  // of a maximum: new lengths beyond the relevant limit
  double alike = 1;    // this many lengths count as one, since runs differ
  bool looks_longer = false;
};

// `error`: the probability of kLonger where the quantile did not grow by more than is relevant, and
// of kShorter likewise.
Change change_of_quantile(const Lengths& old, const Lengths& now, double share, double error,
                          const Relevance& relevance);
Change change_of_longest(const Lengths& old, const Lengths& now, double error,
                         const Relevance& relevance);

// Events that happened `old` times within `old_seconds`, and now so often.
Change change_of_count(uint64_t old, double old_seconds, uint64_t now, double now_seconds,
                       double error, const Relevance& relevance);

// The least error that each test can have with this number of lengths.
double least_error_of_quantile(uint64_t old, uint64_t now, double share);
double least_error_of_longest(uint64_t old, uint64_t now);
double least_error_of_count(uint64_t all, double old_seconds, double now_seconds);

}  // namespace barefxt::host
