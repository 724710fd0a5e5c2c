// How often comparisons of random lengths alarm, find, and cannot judge. docs/how-to/baselines.md
// has the table of what they find; a full run simulates more of each.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

#include <barefxt/host/baseline.h>

#include "../../host/src/figures/chance.h"
#include "build_kind.h"

namespace barefxt::test::baseline_simulation_test {
namespace {

using host::Comparison;
using host::Difference;
using host::Statistics;
using Kind = Difference::Kind;

constexpr unsigned kSets = 10;
constexpr double kMeanTicks = 1e6;
constexpr uint64_t kTicksPerSecond = 1'000'000'000;
const std::vector<std::string> kDistributions = {"normal", "log-normal", "exponential"};
const std::vector<std::string> kMeasures = {"p50", "p90", "p99", "max"};

size_t times(size_t by_default) { return is_full_run() ? by_default * 10 : by_default; }

// Lengths of mean 1.
class Draws {
 public:
  explicit Draws(std::string distribution, uint64_t seed = 7)
      : distribution_(std::move(distribution)), random_(seed) {}

  double next() {
    if (distribution_ == "normal") return std::max(0.0, 1 + 0.1 * normal_(random_));
    if (distribution_ == "exponential") return exponential_(random_);
    const double deviation = std::sqrt(std::log(1.25));  // a coefficient of variation of 0.5
    return std::exp(deviation * normal_(random_) - deviation * deviation / 2);
  }
  std::vector<double> several(size_t count) {
    std::vector<double> lengths(count);
    std::generate(lengths.begin(), lengths.end(), [&] { return next(); });
    return lengths;
  }
  uint64_t events(double mean) { return std::poisson_distribution<unsigned>(mean)(random_); }
  double normal() { return normal_(random_); }

 private:
  std::string distribution_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::exponential_distribution<double> exponential_;
};

Statistics empty_run() {
  Statistics run;
  run.ticks_per_second = kTicksPerSecond;
  run.last = kTicksPerSecond;
  return run;
}

void put(Statistics& run, const std::string& name, const std::vector<double>& lengths,
         double factor) {
  host::Distribution& to = run.durations[{"simulated", name}].total;
  to = {};
  for (const double one : lengths) {
    to.add({0, static_cast<uint64_t>(std::lround(one * factor * kMeanTicks)), 0},
           host::Precision::kSketch);
  }
}

// A run of kSets, all drawn anew, and of inversions that happen twice on average.
Statistics random_run(Draws& draws, size_t count, double factor) {
  Statistics run = empty_run();
  for (unsigned set = 0; set < kSets; ++set)
    put(run, "set " + std::to_string(set), draws.several(count), factor);
  for (uint64_t waiter = 1; waiter <= 5; ++waiter) {
    const uint64_t events = draws.events(2);
    if (events > 0) run.inversions[{{{"lock", "bus"}, {}}, waiter, 8, 9}].times = events;
  }
  return run;
}

Comparison compare(const Statistics& old, const Statistics& now) {
  const Statistics* const before[] = {&old};
  const Statistics* const today[] = {&now};
  return host::compare(before, today);
}

// `found` of `all` leave it open (at 95 %) that the probability is above `most`.
bool may_exceed(size_t found, size_t all, double most) {
  return host::chance_of_at_most(all, most, found) > 0.05;
}

// One set changes by a factor; the others of the comparison are there, and the same.
class OneChange {
 public:
  OneChange(const std::string& distribution, size_t count) : draws_(distribution), count_(count) {
    for (unsigned set = 1; set < kSets; ++set) {
      const std::vector<double> same(count, 1.0);
      put(old_, "same " + std::to_string(set), same, 1);
      put(now_, "same " + std::to_string(set), same, 1);
    }
  }
  void draw() {
    put(old_, "changed", draws_.several(count_), 1);
    lengths_ = draws_.several(count_);
  }
  Comparison changed_by(double factor) {
    put(now_, "changed", lengths_, factor);
    return compare(old_, now_);
  }

 private:
  Draws draws_;
  size_t count_;
  Statistics old_ = empty_run();
  Statistics now_ = empty_run();
  std::vector<double> lengths_;
};

const Difference* find(const Comparison& comparison, const std::string& statistic) {
  for (const Difference& one : comparison.differences)
    if (one.statistic == statistic) return &one;
  return nullptr;
}

// A row of the page's table; limits in percent, null where nothing is found.
struct Row {
  std::string distribution;
  size_t count = 0;
  std::vector<std::optional<double>> limits;
};

std::vector<Row> published() {
  std::ifstream page(BAREFXT_SOURCE_DIR "/docs/how-to/baselines.md");
  std::vector<Row> rows;
  for (std::string line; std::getline(page, line);) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, '|');) {
      std::erase(cell, ' ');
      std::erase(cell, ',');
      cells.push_back(cell);
    }
    if (cells.size() != 8 || std::ranges::count(kDistributions, cells[1]) == 0) continue;
    Row row{cells[1], std::stoul(cells[3]), {}};
    for (size_t i = 4; i < 8; ++i)
      row.limits.push_back(cells[i] == "-" ? std::nullopt : std::optional(std::stod(cells[i])));
    rows.push_back(row);
  }
  return rows;
}

size_t repetitions(size_t count) { return times(count >= 10'000 ? 40 : 200); }

TEST(BaselineSimulation, AllMeasuresTogetherRaiseFewFalseAlarms) {
  for (const std::string& distribution : kDistributions) {
    Draws draws(distribution);
    // Unchanged, and all sets as much longer as is just not relevant.
    for (const double factor : {1.0, 1.05}) {
      size_t alarms = 0;
      size_t all = 0;
      for (const auto& [count, comparisons] :
           {std::pair(100U, 600U), std::pair(300U, 200U), std::pair(1000U, 100U)}) {
        for (size_t i = 0; i < times(comparisons); ++i, ++all) {
          const Statistics old = random_run(draws, count, 1);
          alarms += compare(old, random_run(draws, count, factor)).is_worse() ? 1 : 0;
        }
      }
      std::cout << "BASELINE " << distribution << " factor=" << factor << " comparisons=" << all
                << " false_alarms=" << alarms << "\n";
      EXPECT_FALSE(may_exceed(alarms, all, host::kFalseAlarms)) << distribution << alarms;
    }
  }
}

TEST(BaselineSimulation, FindsWhatIsPublished) {
  const std::vector<Row> rows = published();
  ASSERT_EQ(rows.size(), 12U);
  for (const Row& row : rows) {
    std::vector<size_t> found(kMeasures.size(), 0);
    std::vector<size_t> found_below(kMeasures.size(), 0);
    OneChange change(row.distribution, row.count);
    const size_t all = repetitions(row.count);
    for (size_t i = 0; i < all; ++i) {
      change.draw();
      for (size_t measure = 0; measure < kMeasures.size(); ++measure) {
        const double limit = row.limits[measure].value_or(300) / 100;
        const auto is_found = [&](double factor) {
          const Comparison comparison = change.changed_by(factor);
          const Difference* one = find(comparison, kMeasures[measure]);
          return one != nullptr && one->kind == Kind::kWorse;
        };
        found[measure] += is_found(1 + limit) ? 1 : 0;
        found_below[measure] += is_found(1 + limit * 0.6) ? 1 : 0;
      }
    }
    for (size_t measure = 0; measure < kMeasures.size(); ++measure) {
      const double share = static_cast<double>(found[measure]) / static_cast<double>(all);
      std::cout << "BASELINE " << row.distribution << " samples=" << row.count << " "
                << kMeasures[measure] << " found=" << share << "\n";
      const auto place = row.distribution + " " + std::to_string(row.count) + kMeasures[measure];
      if (row.limits[measure]) {
        EXPECT_GE(share, 0.95) << place;
        // The page is not more careful than it need be.
        EXPECT_LT(found_below[measure], all * 95 / 100) << place;
      } else {
        EXPECT_EQ(found[measure], 0U) << place;
      }
    }
  }
}

// A relevant change that is too small to be found is no pass.
TEST(BaselineSimulation, CannotJudgeBelowTheLimit) {
  for (const Row& row : published()) {
    OneChange change(row.distribution, row.count);
    const size_t all = repetitions(row.count);
    size_t whole_passes = 0;
    std::vector<size_t> passes(kMeasures.size(), 0);
    for (size_t i = 0; i < all; ++i) {
      change.draw();
      // The maximum is that of the samples, so it passes where they have none that is longer.
      for (size_t measure = 0; measure + 1 < kMeasures.size(); ++measure) {
        const double factor = 1.05 + (row.limits[measure].value_or(20) / 100 - 0.05) / 2;
        const Comparison comparison = change.changed_by(factor);
        const Difference* one = find(comparison, kMeasures[measure]);
        passes[measure] += one == nullptr ? 1 : 0;
        whole_passes += comparison.is_worse() || comparison.is_unknown() ? 0 : 1;
        if (one != nullptr && one->kind == Kind::kUnknown) {
          EXPECT_GT(one->needs, static_cast<double>(row.count));
        }
      }
    }
    for (size_t measure = 0; measure + 1 < kMeasures.size(); ++measure) {
      // So many or more have a probability of a thousandth where one in a hundred passes.
      const size_t one = passes[measure];
      const double chance = one == 0 ? 1 : 1 - host::chance_of_at_most(all, 0.01, one - 1);
      EXPECT_GT(chance, 1e-3) << row.distribution << row.count << kMeasures[measure] << one;
    }
    EXPECT_LE(whole_passes, all / 100) << row.distribution << row.count;
  }
}

TEST(BaselineSimulation, AnUnchangedMeasureIsJudgedWithWhatItNeeds) {
  for (const char* distribution : {"normal", "log-normal"}) {
    for (const char* statistic : {"p50", "p90"}) {
      std::vector<double> needs;
      OneChange few(distribution, 100);
      for (size_t i = 0; i < 200; ++i) {
        few.draw();
        const Comparison comparison = few.changed_by(1);
        const Difference* one = find(comparison, statistic);
        if (one != nullptr && one->kind == Kind::kUnknown) needs.push_back(one->needs);
      }
      ASSERT_FALSE(needs.empty());
      std::sort(needs.begin(), needs.end());
      const auto enough = static_cast<size_t>(needs[needs.size() / 2]);
      OneChange many(distribution, enough);
      const size_t all = times(50);
      size_t judged = 0;
      for (size_t i = 0; i < all; ++i) {
        many.draw();
        judged += find(many.changed_by(1), statistic) == nullptr ? 1 : 0;
      }
      std::cout << "BASELINE " << distribution << " " << statistic << " needs=" << enough
                << " judged=" << judged << "/" << all << "\n";
      EXPECT_GE(judged, all * 90 / 100) << distribution << statistic << enough;
    }
  }
}

TEST(BaselineSimulation, AFixNeverFails) {
  for (const Row& row : published()) {
    if (row.count > 1000 && !is_full_run()) continue;
    OneChange change(row.distribution, row.count);
    const size_t all = repetitions(row.count);
    size_t unknown = 0;
    for (size_t i = 0; i < all; ++i) {
      change.draw();
      for (const double factor : {0.98, 0.9, 0.7})
        EXPECT_FALSE(change.changed_by(factor).is_worse()) << row.distribution << row.count;
      const Comparison fixed = change.changed_by(1 / (1 + *row.limits[0] / 100));
      EXPECT_FALSE(fixed.is_worse());
      const auto is_doubt = [](const Difference& one) {
        return one.kind == Kind::kUnknown && one.statistic != "max";
      };
      unknown += std::ranges::any_of(fixed.differences, is_doubt) ? 1 : 0;
    }
    // One that is large enough to be seen is no reason for doubt either. (A maximum may be: a
    // single length is longer than all before.)
    EXPECT_LE(unknown, all * 5 / 100) << row.distribution << row.count;
  }
}

// Runs that differ as wholes, so that samples of one are not independent.
TEST(BaselineSimulation, RunsThatDifferRaiseFewFalseAlarms) {
  constexpr size_t kRuns = 5;
  constexpr size_t kCount = 400;
  Draws draws("log-normal");
  const auto side = [&](double factor) {
    std::vector<Statistics> runs;
    for (size_t run = 0; run < kRuns; ++run) {
      runs.push_back(empty_run());
      for (unsigned set = 0; set < 3; ++set)
        put(runs.back(), std::to_string(set), draws.several(kCount),
            factor * std::exp(0.1 * draws.normal()));
    }
    return runs;
  };
  const auto is_worse = [&](double factor) {
    const std::vector<Statistics> old = side(1);
    const std::vector<Statistics> now = side(factor);
    std::vector<const Statistics*> before;
    std::vector<const Statistics*> today;
    for (const Statistics& one : old) before.push_back(&one);
    for (const Statistics& one : now) today.push_back(&one);
    return host::compare(before, today).is_worse();
  };
  const size_t all = times(300);
  size_t alarms = 0;
  size_t found = 0;
  for (size_t i = 0; i < all; ++i) {
    alarms += is_worse(1) ? 1 : 0;
    found += i % 10 == 0 && is_worse(2) ? 1 : 0;
  }
  std::cout << "BASELINE runs comparisons=" << all << " false_alarms=" << alarms << "\n";
  EXPECT_FALSE(may_exceed(alarms, all, host::kFalseAlarms)) << alarms;
  EXPECT_GE(found, all / 10 * 95 / 100);
}

}  // namespace
}  // namespace barefxt::test::baseline_simulation_test
