// Compares two sides, each of one or more runs. Reports measures that became longer or shorter, by
// more than is relevant and more than chance explains, and those that are new, gone, or cannot be
// judged.
//
// docs/how-to/baselines.md has the method. All measures of a comparison together raise a false
// alarm with a probability of at most kFalseAlarms.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/json.h>
#include <barefxt/host/measures.h>

namespace barefxt::host {

inline constexpr double kFalseAlarms = 0.01;

// A change counts if it exceeds both.
struct Relevance {
  double share = 0.05;
  double seconds = 1e-6;

  // The longest time that is no relevant change of this one.
  double limit(double old) const { return std::max(old * (1 + share), old + seconds); }
};

struct Difference {
  enum class Kind : uint8_t {
    kWorse,     // longer, or more often
    kNew,       // only in the new runs, more often than by chance
    kVanished,  // only in the baseline, likewise, and it is no improvement
    kUnknown,   // cannot be judged
    kBetter,
    kLonger,  // a run or a time blocked: no judgement
    kShorter,
  };
  Kind kind = Kind::kUnknown;
  std::string metric;
  std::string subject;
  std::string_view statistic;  // "count" of a set that one side has alone
  uint64_t old_count = 0;      // samples, or events
  uint64_t new_count = 0;
  double old_seconds = 0;
  double new_seconds = 0;
  uint64_t above = 0;  // of a maximum: samples beyond what is relevant
  double needs = 0;    // of an unknown: samples a side, of a maximum in the baseline
  double alike = 1;    // this number of samples counts as one, since the runs differ
};

struct Comparison {
  std::vector<Difference> differences;  // those of a set one behind the other
  uint64_t measures = 0;
  uint64_t unchanged = 0;
  double error = 0;  // of each measure

  uint64_t count(Difference::Kind kind) const;
  bool is_worse() const;
  bool is_unknown() const { return count(Difference::Kind::kUnknown) > 0; }
};

// Neither side is empty.
Comparison compare(std::span<const Statistics* const> old, std::span<const Statistics* const> now,
                   const Relevance& relevance = {});

// A sentence for each difference, the worst first; of a set, one for all quantiles that cannot be
// judged.
std::vector<std::string> sentences(const Comparison& comparison);
void comparison_json(Output& out, const Comparison& comparison, const Relevance& relevance);

}  // namespace barefxt::host
