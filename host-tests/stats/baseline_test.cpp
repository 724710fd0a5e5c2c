// Findings of a comparison in sets made by hand.
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <barefxt/host/baseline.h>

#include "../../host/src/figures/chance.h"
#include "contains.h"

namespace barefxt::test::baseline_test {
namespace {

using host::Comparison;
using host::Difference;
using host::Relevance;
using host::Statistics;
using Kind = Difference::Kind;
using Lengths = std::vector<uint64_t>;

constexpr uint64_t kTicksPerSecond = 1'000'000;

Statistics run_of(uint64_t ticks_per_second = kTicksPerSecond) {
  Statistics statistics;
  statistics.ticks_per_second = ticks_per_second;
  statistics.last = ticks_per_second;
  return statistics;
}

void add(host::Distribution& to, const Lengths& lengths) {
  for (const uint64_t one : lengths) to.add({0, one, 0}, host::Precision::kSketch);
}

// A run with one duration of these lengths.
Statistics run_of(const Lengths& lengths, uint64_t ticks_per_second = kTicksPerSecond) {
  Statistics statistics = run_of(ticks_per_second);
  add(statistics.durations[{"app", "work"}].total, lengths);
  return statistics;
}

// `count` lengths from `least` on, evenly up to twice as much; `turn` changes their order.
Lengths spread(size_t count, uint64_t least, size_t turn = 0) {
  Lengths lengths;
  for (size_t i = 0; i < count; ++i) lengths.push_back(least + (i + turn) * least / count % least);
  return lengths;
}

Comparison compare(const Statistics& old, const Statistics& now, const Relevance& relevance = {}) {
  const Statistics* const before[] = {&old};
  const Statistics* const today[] = {&now};
  return host::compare(before, today, relevance);
}

const Difference* find(const Comparison& comparison, Kind kind, std::string_view statistic) {
  for (const Difference& one : comparison.differences)
    if (one.kind == kind && one.statistic == statistic) return &one;
  return nullptr;
}

std::string text_of(const Comparison& comparison) {
  std::string text;
  for (const std::string& one : host::sentences(comparison)) text += one + "\n";
  return text;
}

void invert(Statistics& statistics, uint64_t times) {
  for (uint64_t koid = 1; koid <= 3; ++koid)
    statistics.names[koid] = {"thread-" + std::to_string(koid), {}};
  statistics.inversions[{{{"lock", "bus"}, {}}, 1, 2, 3}].times = times;
}

TEST(Baseline, AnIrrelevantChangeIsNone) {
  const Comparison same =
      compare(run_of(Lengths(20'000, 258'300)), run_of(Lengths(20'000, 259'200)));
  EXPECT_TRUE(same.differences.empty()) << text_of(same);
  EXPECT_EQ(same.unchanged, 4U);
  // 10 %, but only a microsecond.
  EXPECT_TRUE(compare(run_of(Lengths(2000, 10)), run_of(Lengths(2000, 11))).differences.empty());
  const Comparison strict =
      compare(run_of(Lengths(2000, 10)), run_of(Lengths(2000, 11)), {0.05, 1e-7});
  EXPECT_NE(find(strict, Kind::kWorse, "p50"), nullptr) << text_of(strict);
  const Comparison lax =
      compare(run_of(spread(20'000, 1000)), run_of(spread(20'000, 1200)), {0.5, 0});
  EXPECT_TRUE(lax.differences.empty()) << text_of(lax);
}

TEST(Baseline, ARelevantChangeIsFoundInEachMeasure) {
  const Statistics old = run_of(spread(5000, 1000));
  const Comparison worse = compare(old, run_of(spread(5000, 1300, 7)));
  for (const char* statistic : {"p50", "p90", "p99", "max"})
    EXPECT_NE(find(worse, Kind::kWorse, statistic), nullptr) << statistic << text_of(worse);
  EXPECT_TRUE(worse.is_worse());
  EXPECT_TRUE(contains(text_of(worse),
                       "worse: duration category=app name=work p50: 1.495 ms, now 1.943 "
                       "ms (+30.0 %)\n"));
  const Comparison better = compare(run_of(spread(5000, 1300, 7)), old);
  for (const char* statistic : {"p50", "p90", "p99", "max"})
    EXPECT_NE(find(better, Kind::kBetter, statistic), nullptr) << statistic << text_of(better);
  EXPECT_FALSE(better.is_worse() || better.is_unknown());
}

// The tail alone: one length in 40 takes half as long again.
TEST(Baseline, ATailIsSeenWhereTheMedianIsNot) {
  Lengths slow = spread(5000, 1000, 3);
  for (size_t i = 0; i < slow.size(); i += 40) slow[i] = 3000;
  const Comparison comparison = compare(run_of(spread(5000, 1000)), run_of(slow));
  EXPECT_EQ(find(comparison, Kind::kWorse, "p50"), nullptr);
  EXPECT_NE(find(comparison, Kind::kWorse, "p99"), nullptr) << text_of(comparison);
  EXPECT_NE(find(comparison, Kind::kWorse, "max"), nullptr) << text_of(comparison);
}

TEST(Baseline, TooFewLengthsAreNotJudged) {
  const Comparison comparison = compare(run_of(spread(200, 1000)), run_of(spread(200, 1010, 5)));
  EXPECT_FALSE(comparison.is_worse());
  EXPECT_TRUE(comparison.is_unknown());
  const Difference* median = find(comparison, Kind::kUnknown, "p50");
  ASSERT_NE(median, nullptr) << text_of(comparison);
  EXPECT_GT(median->needs, 200);
  // Its 99 % limits do not exist below this count.
  const Difference* tail = find(comparison, Kind::kUnknown, "p99");
  ASSERT_NE(tail, nullptr) << text_of(comparison);
  EXPECT_GE(tail->needs, std::log(host::kFalseAlarms) / std::log(0.99));
  EXPECT_TRUE(contains(text_of(comparison),
                       "cannot judge: duration category=app name=work: 200 samples, p50 needs "));
}

TEST(Baseline, AFarMaximumIsNotPassed) {
  Lengths once = spread(2000, 2000, 9);
  once[77] = 10'800;
  const Statistics old = run_of(spread(2000, 2000));
  const Comparison unknown = compare(old, run_of(once));
  EXPECT_FALSE(unknown.is_worse());
  const Difference* maximum = find(unknown, Kind::kUnknown, "max");
  ASSERT_NE(maximum, nullptr) << text_of(unknown);
  EXPECT_EQ(maximum->above, 1U);
  EXPECT_GT(maximum->needs, 2000 / host::kFalseAlarms);
  for (size_t i = 0; i < 20; ++i) once[i * 50] = 10'800;
  EXPECT_NE(find(compare(old, run_of(once)), Kind::kWorse, "max"), nullptr);
}

// The maximum of lengths with an exponential tail varies by more than is relevant.
TEST(Baseline, AMaximumThatTheTailExplainsIsNoise) {
  Lengths lengths;
  for (size_t i = 0; i < 1000; ++i)
    lengths.push_back(static_cast<uint64_t>(-1e4 * std::log((i + 0.5) / 1000)));
  Lengths longer = lengths;
  longer[0] = longer[0] * 5 / 4;
  EXPECT_EQ(find(compare(run_of(lengths), run_of(longer)), Kind::kUnknown, "max"), nullptr);
  longer[0] = longer[0] * 3;
  EXPECT_NE(find(compare(run_of(lengths), run_of(longer)), Kind::kUnknown, "max"), nullptr);
}

TEST(Baseline, ARunMayBeLonger) {
  Statistics old = run_of();
  Statistics now = run_of();
  add(old.threads[1].run, spread(2000, 1000));
  add(now.threads[1].run, spread(2000, 1500));
  add(old.threads[1].block, spread(20, 1000));
  add(now.threads[1].block, spread(20, 1100));
  const Comparison comparison = compare(old, now);
  EXPECT_FALSE(comparison.is_worse() || comparison.is_unknown()) << text_of(comparison);
  EXPECT_NE(find(comparison, Kind::kLonger, "p50"), nullptr) << text_of(comparison);
}

TEST(Baseline, ANewInversionIsFound) {
  const Statistics without = run_of();
  Statistics with = run_of();
  invert(with, 20);
  const Comparison proven = compare(without, with);
  ASSERT_NE(find(proven, Kind::kNew, "count"), nullptr) << text_of(proven);
  EXPECT_TRUE(proven.is_worse());
  EXPECT_TRUE(contains(text_of(proven),
                       "new: priority_inversion thread=thread-1 category=lock name=bus "
                       "holder=thread-2 runner=thread-3: never in the baseline, now 20 "
                       "times\n"));
  // Once may be by chance.
  Statistics once = run_of();
  invert(once, 1);
  const Comparison unknown = compare(without, once);
  EXPECT_FALSE(unknown.is_worse());
  const Difference* one = find(unknown, Kind::kUnknown, "count");
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(one->needs, 7);  // 1.05 / 2.05 to the power of 7 is less than 1 %
  EXPECT_TRUE(contains(text_of(unknown), " is new: never in the baseline, now 1 time, needs 7\n"));
  // A baseline of 200 times the length decides it.
  Statistics longer = run_of();
  longer.last *= 200;
  EXPECT_TRUE(compare(longer, once).is_worse());
  // If they are gone, that is no fault; nor is it if they are no more than before.
  for (const Statistics* old : {&with, &once}) {
    const Comparison gone = compare(*old, without);
    EXPECT_FALSE(gone.is_worse() || gone.is_unknown());
    EXPECT_NE(find(gone, Kind::kBetter, "count"), nullptr);
  }
  EXPECT_TRUE(compare(with, with).differences.empty());
  EXPECT_TRUE(compare(once, with).is_worse());
}

TEST(Baseline, NewAndVanishedSetsAreFoundOnce) {
  Statistics less = run_of();
  Statistics more = run_of();
  more.names[7] = {"logger", {}};
  add(more.threads[7].run, Lengths(30, 10));
  add(more.threads[7].latency, Lengths(30, 10));
  add(more.threads[7].block, Lengths(30, 10));
  auto& lock = more.contention[{{"lock", "bus"}, {}}];
  add(lock.wait, Lengths(30, 10));
  add(lock.by_holder[7], Lengths(30, 10));
  add(more.durations[{"lock", "bus"}].total, Lengths(30, 10));
  const Comparison found = compare(less, more);
  EXPECT_EQ(found.differences.size(), 2U) << text_of(found);
  EXPECT_EQ(found.count(Kind::kNew), 2U);
  EXPECT_TRUE(contains(text_of(found), "new: run thread=logger: never"));
  EXPECT_TRUE(contains(text_of(found), "new: contention category=lock name=bus: never"));
  // No thread waits any longer, but one is missing.
  const Comparison vanished = compare(more, less);
  EXPECT_EQ(vanished.count(Kind::kBetter), 1U);
  ASSERT_EQ(vanished.count(Kind::kVanished), 1U) << text_of(vanished);
  EXPECT_TRUE(vanished.is_worse());
  // A thread that ran twice may be there by chance.
  Statistics twice = run_of();
  add(twice.threads[7].run, Lengths(2, 10));
  EXPECT_FALSE(compare(twice, less).is_worse());
  EXPECT_TRUE(compare(twice, less).is_unknown());
  EXPECT_TRUE(compare(less, twice).is_unknown());
}

// Runs that differ among themselves by as much as the two sides do.
TEST(Baseline, RunsAreComparedByRun) {
  const Statistics low = run_of(spread(3000, 1000));
  const Statistics high = run_of(spread(3000, 1300));
  const Statistics* const first[] = {&low, &low, &high};
  const Statistics* const second[] = {&low, &high, &high};
  const Comparison mixed = host::compare(first, second);
  EXPECT_FALSE(mixed.is_worse()) << text_of(mixed);
  const Difference* median = find(mixed, Kind::kUnknown, "p50");
  ASSERT_NE(median, nullptr) << text_of(mixed);
  EXPECT_GT(median->alike, 10);
  EXPECT_TRUE(contains(text_of(mixed), "count as one, since runs differ"));
  const Statistics* const lows[] = {&low, &low};
  const Statistics* const highs[] = {&high, &high};
  const Comparison apart = host::compare(lows, highs);
  ASSERT_NE(find(apart, Kind::kWorse, "p50"), nullptr) << text_of(apart);
  EXPECT_EQ(find(apart, Kind::kWorse, "p50")->old_count, 6000U);
}

// The same times, counted by clocks of different rates.
TEST(Baseline, ClocksMayDiffer) {
  Lengths finer = spread(3000, 1000);
  for (uint64_t& one : finer) one = one * 3;
  const Statistics old = run_of(spread(3000, 1000));
  EXPECT_TRUE(compare(old, run_of(finer, 3 * kTicksPerSecond)).count(Kind::kWorse) == 0);
  EXPECT_TRUE(compare(old, run_of(finer)).is_worse());
}

TEST(Baseline, TheSameLengthsAreUnchanged) {
  const Statistics few = run_of(spread(5, 1000));
  EXPECT_EQ(compare(few, few).unchanged, 4U);
  EXPECT_FALSE(compare(few, few).is_unknown());
}

TEST(Baseline, TheWorstComesFirstAndLinesAreBounded) {
  Statistics old = run_of(spread(2000, 1000));
  Statistics now = run_of(spread(2000, 1500));
  for (unsigned set = 0; set < 130; ++set) {
    add(old.durations[{"a", std::to_string(set)}].total, spread(30, 1000));
    add(now.durations[{"a", std::to_string(set)}].total, spread(30, 1010));
  }
  const std::vector<std::string> lines = host::sentences(compare(old, now));
  EXPECT_EQ(lines[0].rfind("worse: ", 0), 0U) << lines[0];
  EXPECT_EQ(lines.back(), "cannot judge: 30 more");
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const std::string& line) { return line.starts_with("cannot"); }),
            101);
}

TEST(Baseline, JsonHasEveryDifference) {
  Statistics now = run_of(spread(2000, 1500));
  invert(now, 1);
  const Relevance relevance{0.1, 2e-6};
  const Comparison comparison = compare(run_of(spread(2000, 1000)), now, relevance);
  host::StringOutput out;
  host::comparison_json(out, comparison, relevance);
  const auto json = nlohmann::json::parse(out.take());
  EXPECT_EQ(json["relevant_share"], 0.1);
  EXPECT_EQ(json["relevant_seconds"], 2e-6);
  EXPECT_EQ(json["measures"], 5);
  ASSERT_EQ(json["findings"].size(), comparison.differences.size());
  EXPECT_EQ(json["findings"][0]["kind"], "worse");
  EXPECT_EQ(json["findings"][0]["subject"], "category=app name=work");
  const auto& inversion = json["findings"].back();
  EXPECT_EQ(inversion["kind"], "cannot judge");
  EXPECT_EQ(inversion["new_count"], 1);
  EXPECT_GE(inversion["needs"], 7);
}

double binomial(unsigned count, double share, unsigned most) {
  double sum = 0;
  for (unsigned some = 0; some <= most; ++some) {
    double term = 1;
    for (unsigned i = 0; i < count; ++i)
      term *= i < some ? share * (count - i) / (some - i) : 1 - share;
    sum += term;
  }
  return sum;
}

TEST(Chance, IsThatOfTheBinomialDistribution) {
  for (const unsigned count : {1U, 7U, 40U}) {
    for (const double share : {0.01, 0.3, 0.5, 0.99}) {
      for (unsigned most = 0; most < count; ++most) {
        EXPECT_NEAR(host::chance_of_at_most(count, share, most), binomial(count, share, most), 1e-9)
            << count << " " << share << " " << most;
      }
      for (const double error : {0.01, 1e-4}) {
        const auto rank = host::rank_below(count, share, error);
        if (rank > 0) {
          EXPECT_LE(binomial(count, share, static_cast<unsigned>(rank) - 1), error * (1 + 1e-9));
        }
        if (rank < count) {
          EXPECT_GT(binomial(count, share, static_cast<unsigned>(rank)), error);
        }
      }
    }
  }
  EXPECT_NEAR(host::chance_of_at_most(100'000'000, 0.5, 50'000'000), 0.5, 1e-4);
}

// Values of the tables in every book of statistics.
TEST(Chance, IsThatOfTheTables) {
  EXPECT_NEAR(host::normal_limit(0.01), 2.3263, 1e-4);
  EXPECT_NEAR(host::student_limit(1, 0.01), 31.821, 1e-3);
  EXPECT_NEAR(host::student_limit(2, 0.01), 6.965, 1e-3);
  EXPECT_NEAR(host::student_limit(7, 0.001), 4.785, 1e-3);
  EXPECT_NEAR(host::student_limit(10, 0.05), 1.812, 1e-3);
  EXPECT_NEAR(host::chance_of_squares(1, 3.841), 0.05, 1e-4);
  EXPECT_NEAR(host::chance_of_squares(4, 9.488), 0.05, 1e-4);
  EXPECT_NEAR(host::chance_of_squares(7, 18.475), 0.01, 1e-4);
  EXPECT_NEAR(host::chance_of_all_longest(3, 2, 2), 0.1, 1e-12);
  EXPECT_EQ(host::chance_of_all_longest(3, 2, 3), 0);
}

}  // namespace
}  // namespace barefxt::test::baseline_test
