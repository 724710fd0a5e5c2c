// For every metric, a bound on what a trace cannot show is not judged.
#include <gtest/gtest.h>
#include <set>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/budget.h>

#include "archive/memory_archive.h"
#include "everything.h"
#include "summing.h"

namespace barefxt::test::evidence_test {
namespace {

std::string archive_of_an_instant() {
  MemoryArchive writer(1000);
  add_event(writer, fxt::EventType::kInstant, 1, {0, 5, 1}, "c", "n");
  return writer.text();
}

host::Verdict verdict_on(const host::Statistics& statistics, const std::string& line) {
  const auto budget = host::parse_budget(line, "budget");
  EXPECT_TRUE(budget.ok()) << line;
  const auto verdicts = host::hold_to_budget(statistics, budget.value(), "budget");
  EXPECT_TRUE(verdicts.ok()) << line;
  host::Verdict verdict = verdicts.value().at(0);
  verdict.line = nullptr;
  return verdict;
}

// Every archive shows these.
const std::set<std::string_view> kAlwaysShown = {"losses", "records", "trace"};

TEST(Evidence, NoMetricPassesInATraceThatCannotShowIt) {
  const host::Statistics statistics = statistics_in(archive_of_an_instant());
  for (const std::string_view metric : host::known_metrics()) {
    const std::string statistic = metric == "calls_left_out" ? "too_deep"
                                  : metric == "trace"        ? "left_out"
                                                             : "count";
    for (const char* const bound : {" = 0", " <= 0", " >= 0"}) {
      const std::string line = std::string(metric) + " " + statistic + bound;
      const host::Verdict verdict = verdict_on(statistics, line);
      EXPECT_EQ(verdict.not_judged.empty(), kAlwaysShown.contains(metric)) << line;
      const bool is_kept = metric == "records" ? std::string(bound) == " >= 0" : true;
      EXPECT_EQ(verdict.violations.empty(), is_kept) << line;
    }
  }
}

// Otherwise the test above would prove nothing.
TEST(Evidence, EveryMetricIsShownByTheArchiveOfEverything) {
  const host::Statistics statistics = statistics_in(archive_of_everything());
  std::set<std::string_view> measured;
  host::for_each_measure(statistics,
                         [&](const host::Measure& measure) { measured.insert(measure.metric); });
  for (const std::string_view metric : host::known_metrics()) {
    EXPECT_TRUE(measured.contains(metric)) << metric;
    EXPECT_EQ(host::missing_for(statistics, metric), "") << metric;
  }
}

TEST(Evidence, WhatWasLostWithoutACountIsNoUpperBound) {
  MemoryArchive writer(1000);
  add_event(writer, fxt::EventType::kDurationComplete, 1, {0, 5, 1}, "barefxt", "drop_stats", 9);
  const host::Statistics statistics = statistics_in(writer.text());
  EXPECT_NE(verdict_on(statistics, "losses records <= 5").not_judged, "");
  EXPECT_NE(verdict_on(statistics, "losses records = 0").not_judged, "");
  EXPECT_EQ(verdict_on(statistics, "losses records >= 0").not_judged, "");
  EXPECT_EQ(verdict_on(statistics, "losses count <= 1").not_judged, "");
  EXPECT_NE(verdict_on(statistics, "loss bytes <= 5").not_judged, "");
}

}  // namespace
}  // namespace barefxt::test::evidence_test
