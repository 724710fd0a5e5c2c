// Jobs and their deadlines: each rule of docs/how-to/deadlines.md in a trace that a reader can
// follow.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <barefxt/host/budget.h>
#include <barefxt/host/json.h>

#include "job_trace.h"
#include "summing.h"

namespace barefxt::test::jobs_test {
namespace {

constexpr uint64_t kSensor = 1;
constexpr uint64_t kMotor = 2;

const host::JobStatistics& job_of(const host::Statistics& statistics, uint64_t thread,
                                  const std::string& name,
                                  host::JobSource source = host::JobSource::kRecorded) {
  static const host::JobStatistics kNone;
  const auto found = statistics.jobs.find({thread, name, source});
  EXPECT_NE(found, statistics.jobs.end()) << name;
  return found == statistics.jobs.end() ? kNone : found->second;
}
host::StatisticsOptions exact() {
  host::StatisticsOptions options;
  options.precision = host::Precision::kExact;
  return options;
}
host::StatisticsOptions with_deadline(const std::string& thread, uint64_t microseconds) {
  host::StatisticsOptions options;
  options.deadlines.push_back({thread, microseconds * 1000});
  return options;
}

TEST(Jobs, LastFromTheWakeupToTheEnd) {
  JobTrace trace;
  trace.wake(1000, kSensor);
  trace.run(1040, 1200, kSensor);
  trace.begin(1050, kSensor, "control", JobTrace::terms(10'000, 100));
  trace.end(1100, kSensor, "control");  // on time, just
  trace.wake(11'000, kSensor);
  trace.run(11'040, 11'200, kSensor);
  trace.begin(11'050, kSensor, "control", JobTrace::terms(10'000, 100));
  trace.end(11'101, kSensor, "control");  // late, just
  const host::Statistics statistics = statistics_in(trace.archive());
  const host::JobStatistics& job = job_of(statistics, kSensor, "control");
  EXPECT_EQ(job.response.count(), 2U);
  EXPECT_EQ(job.response.shortest(), 100U);
  EXPECT_EQ(job.response.longest(), 101U);
  EXPECT_EQ(job.response.longest_extent().begin, 11'000U);
  EXPECT_EQ(job.on_time, 1U);
  EXPECT_EQ(job.late, 1U);
  EXPECT_EQ(job.late_share(), 0.5);
  EXPECT_EQ(job.interval.count(), 1U);
  EXPECT_EQ(job.interval.longest(), 10'000U);
  EXPECT_EQ(job.period_ns, 10'000'000U);
  EXPECT_EQ(job.deadline_ns, 100'000U);
}

TEST(Jobs, WithoutADeadlineOfTheirOwnAreDueAPeriodLater) {
  JobTrace trace;
  trace.begin(100, kSensor, "a", JobTrace::terms(50));
  trace.end(151, kSensor, "a");
  trace.begin(200, kSensor, "b", JobTrace::terms(0));
  trace.end(900, kSensor, "b");
  const host::Statistics statistics = statistics_in(trace.archive());
  EXPECT_EQ(job_of(statistics, kSensor, "a").late, 1U);
  EXPECT_EQ(job_of(statistics, kSensor, "b").without_deadline, 1U);
  EXPECT_EQ(job_of(statistics, kSensor, "b").judged(), 0U);
}

TEST(Jobs, OneThatBeganWithoutAWakeupOfItsOwnIsReleasedByItsRecord) {
  JobTrace trace;
  trace.wake(1000, kSensor);
  trace.change(1010, JobTrace::kIdle, JobTrace::State::kNew, kSensor);
  trace.begin(1020, kSensor, "first", JobTrace::terms(0, 500));
  // It blocks, and is woken, for the first one.
  trace.change(1030, kSensor, JobTrace::State::kBlocked, JobTrace::kIdle);
  trace.wake(1040, kSensor);
  trace.change(1050, JobTrace::kIdle, JobTrace::State::kNew, kSensor);
  trace.begin(1060, kSensor, "within", JobTrace::terms(0, 500));
  trace.end(1070, kSensor, "within");
  trace.end(1080, kSensor, "first");
  trace.begin(1200, kSensor, "second", JobTrace::terms(0, 500));
  trace.end(1290, kSensor, "second");
  const host::Statistics statistics = statistics_in(trace.archive());
  EXPECT_EQ(job_of(statistics, kSensor, "first").response.longest(), 80U);
  EXPECT_EQ(job_of(statistics, kSensor, "within").response.longest(), 10U);
  EXPECT_EQ(job_of(statistics, kSensor, "second").response.longest(), 90U);
}

TEST(Jobs, OneThatIsDueAfterTheEndIsLeftOutAndCounted) {
  JobTrace trace;
  trace.begin(100, kSensor, "due", JobTrace::terms(0, 400));
  trace.begin(100, kMotor, "not due", JobTrace::terms(0, 500));
  trace.until(600);
  const host::Statistics statistics = statistics_in(trace.archive());
  const host::JobStatistics& due = job_of(statistics, kSensor, "due");
  EXPECT_EQ(due.late, 1U);
  EXPECT_EQ(due.overdue, 1U);
  EXPECT_EQ(due.overdue_ticks, 500U);
  EXPECT_EQ(due.not_due, 0U);
  const host::JobStatistics& not_due = job_of(statistics, kMotor, "not due");
  EXPECT_EQ(not_due.judged(), 0U);
  EXPECT_EQ(not_due.not_due, 1U);
  // In a stretch that ends earlier, nothing is due.
  host::StatisticsOptions options;
  options.selection.to = host::TimeBound{true, 450};
  EXPECT_EQ(job_of(statistics_in(trace.archive(), options), kSensor, "due").not_due, 1U);
}

TEST(Jobs, OneThatSpansALossIsNeitherOnTimeNorLate) {
  JobTrace trace;
  // Lost while it ran, while it waited to run, and its wakeup itself.
  trace.wake(1000, kSensor);
  trace.run(1010, 1100, kSensor);
  trace.begin(1020, kSensor, "job", JobTrace::terms(0, 500));
  trace.end(1090, kSensor, "job");
  trace.lose(1030, 1040);
  trace.wake(2000, kSensor);
  trace.run(2050, 2100, kSensor);
  trace.begin(2060, kSensor, "job", JobTrace::terms(0, 500));
  trace.end(2090, kSensor, "job");
  trace.lose(2010, 2020);
  trace.wake(3000, kSensor);
  trace.run(3050, 3100, kSensor);
  trace.begin(3060, kSensor, "job", JobTrace::terms(0, 500));
  trace.end(3090, kSensor, "job");
  trace.lose(2990, 3010);
  // After a block that was recorded all is known again.
  trace.wake(4000, kSensor);
  trace.run(4050, 4100, kSensor);
  trace.begin(4060, kSensor, "job", JobTrace::terms(0, 500));
  trace.end(4090, kSensor, "job");
  // Open when records are lost: its end may be among them.
  trace.begin(4200, kSensor, "open", JobTrace::terms(0, 500));
  trace.lose(4300, 4310);
  trace.until(9000);
  const host::Statistics statistics = statistics_in(trace.archive(), with_deadline("sensor", 500));
  const host::JobStatistics& job = job_of(statistics, kSensor, "job");
  EXPECT_EQ(job.in_doubt, 3U);
  EXPECT_EQ(job.on_time, 1U);
  EXPECT_EQ(job.late, 0U);
  EXPECT_EQ(job.response.count(), 1U);
  EXPECT_EQ(job.response.longest(), 90U);
  const host::JobStatistics& open = job_of(statistics, kSensor, "open");
  EXPECT_EQ(open.in_doubt, 1U);
  EXPECT_EQ(open.judged() + open.not_due, 0U);
  const host::JobStatistics& woken =
      job_of(statistics, kSensor, "wakeup", host::JobSource::kWakeups);
  EXPECT_EQ(woken.in_doubt, 3U);
  EXPECT_EQ(woken.on_time, 1U);
}

TEST(Jobs, OnesWhoseWakeupsNobodyRecordsAreInDoubt) {
  JobTrace trace;
  for (uint64_t time = 1000; time < 5000; time += 1000) {
    trace.run(time, time + 100, kSensor);
    trace.begin(time + 10, kSensor, "job", JobTrace::terms(0, 500));
    trace.end(time + 90, kSensor, "job");
  }
  const host::Statistics statistics = statistics_in(trace.archive(), with_deadline("sensor", 500));
  // The record is all there is of the first one: the trace begins with it.
  EXPECT_EQ(job_of(statistics, kSensor, "job").on_time, 1U);
  EXPECT_EQ(job_of(statistics, kSensor, "job").in_doubt, 3U);
  EXPECT_EQ(job_of(statistics, kSensor, "wakeup", host::JobSource::kWakeups).in_doubt, 4U);
}

TEST(Jobs, OneThatOverranIsDueAPeriodAfterTheOneBefore) {
  JobTrace trace;
  trace.event(JobTrace::Type::kAsyncBegin, 1000, kSensor, "sensor", JobTrace::terms(100));
  trace.event(JobTrace::Type::kAsyncEnd, 1250, kSensor, "sensor");
  trace.event(JobTrace::Type::kAsyncBegin, 1251, kSensor, "sensor", JobTrace::overrun(100));
  trace.event(JobTrace::Type::kAsyncEnd, 1260, kSensor, "sensor");
  trace.event(JobTrace::Type::kAsyncBegin, 1261, kSensor, "sensor", JobTrace::overrun(100));
  trace.event(JobTrace::Type::kAsyncEnd, 1270, kSensor, "sensor");
  // It is unknown when the one before this one was released.
  trace.event(JobTrace::Type::kAsyncBegin, 1271, kMotor, "motor", JobTrace::overrun(100));
  trace.event(JobTrace::Type::kAsyncEnd, 1272, kMotor, "motor");
  const host::Statistics statistics = statistics_in(trace.archive());
  const host::JobStatistics& job = job_of(statistics, kSensor, "sensor");
  EXPECT_EQ(job.late, 2U);     // 250 and 160 us
  EXPECT_EQ(job.on_time, 1U);  // 70 us
  EXPECT_EQ(job.response.total(), 250U + 160U + 70U);
  EXPECT_EQ(job.interval.longest(), 100U);
  EXPECT_EQ(job_of(statistics, kMotor, "motor").in_doubt, 1U);
}

TEST(Jobs, OneThatOnlyBeginsLastsUntilItsThreadBlocks) {
  JobTrace trace;
  trace.wake(1000, kSensor);
  trace.run(1010, 1100, kSensor);
  trace.event(JobTrace::Type::kInstant, 1020, kSensor, "blink", JobTrace::terms(200));
  trace.event(JobTrace::Type::kInstant, 1050, kSensor, "poll", JobTrace::terms(20));
  // The thread has no recorded switches.
  trace.event(JobTrace::Type::kInstant, 1050, kMotor, "tick", JobTrace::terms(100));
  trace.event(JobTrace::Type::kInstant, 1060, kMotor, "tick", JobTrace::terms(100));
  const host::Statistics statistics = statistics_in(trace.archive());
  EXPECT_EQ(job_of(statistics, kSensor, "blink").response.longest(), 50U);
  EXPECT_EQ(job_of(statistics, kSensor, "blink").on_time, 1U);
  EXPECT_EQ(job_of(statistics, kSensor, "poll").response.longest(), 50U);
  EXPECT_EQ(job_of(statistics, kSensor, "poll").late, 1U);
  EXPECT_EQ(job_of(statistics, kMotor, "tick").in_doubt, 1U);
  EXPECT_EQ(job_of(statistics, kMotor, "tick").judged(), 0U);
}

TEST(Jobs, OneThatIsBegunAgainNeverEnded) {
  JobTrace trace;
  trace.begin(1000, kSensor, "a", JobTrace::terms(0, 100));
  trace.begin(1200, kSensor, "a", JobTrace::terms(0, 100));
  trace.begin(1210, kSensor, "a", JobTrace::terms(0, 100));
  trace.end(1220, kSensor, "a");
  trace.end(1230, kSensor, "a");
  const host::Statistics statistics = statistics_in(trace.archive());
  const host::JobStatistics& job = job_of(statistics, kSensor, "a");
  EXPECT_EQ(job.overdue, 1U);   // the first
  EXPECT_EQ(job.in_doubt, 1U);  // the second
  EXPECT_EQ(job.on_time, 1U);
}

TEST(Jobs, OneWhoseThreadEndsNeverEnds) {
  JobTrace trace;
  trace.begin(1000, kSensor, "short", JobTrace::terms(0, 500));
  trace.begin(1000, kSensor, "long", JobTrace::terms(0, 50));
  trace.change(1100, kSensor, JobTrace::State::kDead, JobTrace::kIdle);
  trace.until(9000);
  const host::Statistics statistics = statistics_in(trace.archive());
  EXPECT_EQ(job_of(statistics, kSensor, "short").in_doubt, 1U);
  EXPECT_EQ(job_of(statistics, kSensor, "short").judged(), 0U);
  EXPECT_EQ(job_of(statistics, kSensor, "long").overdue, 1U);
}

TEST(Jobs, ADeadlineGivenToTheToolHoldsFromWakeupToBlock) {
  JobTrace trace;
  trace.wake(1000, kMotor);
  trace.wake(1005, kMotor);  // it is awake
  trace.change(1010, JobTrace::kIdle, JobTrace::State::kNew, kMotor);
  trace.change(1020, kMotor, JobTrace::State::kNew, JobTrace::kIdle);  // preempted
  trace.change(1050, JobTrace::kIdle, JobTrace::State::kNew, kMotor);
  trace.change(1100, kMotor, JobTrace::State::kBlocked, JobTrace::kIdle);
  trace.wake(2000, kMotor);
  trace.run(2010, 2101, kMotor);
  trace.wake(3000, kSensor);
  trace.run(3010, 3500, kSensor);
  const host::Statistics statistics = statistics_in(trace.archive(), with_deadline("motor*", 100));
  ASSERT_EQ(statistics.jobs.size(), 1U);
  const host::JobStatistics& job = job_of(statistics, kMotor, "wakeup", host::JobSource::kWakeups);
  EXPECT_EQ(job.on_time, 1U);
  EXPECT_EQ(job.late, 1U);
  EXPECT_EQ(job.response.longest(), 101U);
  EXPECT_EQ(statistics_in(trace.archive(), with_deadline("2", 101)).jobs.begin()->second.late, 0U);
}

TEST(Jobs, DurationsOfTheCategoryThatSayNeitherPeriodNorDeadlineAreNone) {
  JobTrace trace;
  trace.begin(1000, kSensor, "a", {});
  trace.end(1100, kSensor, "a");
  const host::Statistics statistics = statistics_in(trace.archive());
  EXPECT_TRUE(statistics.jobs.empty());
  EXPECT_EQ(statistics.durations.size(), 1U);
}

TEST(Jobs, AHistogramHasEachResponseOnce) {
  JobTrace trace;
  for (const uint64_t length : {1, 2, 3, 9, 10, 11, 900}) {
    trace.begin(length * 10'000, kSensor, "a", JobTrace::terms(0, 100));
    trace.end(length * 10'000 + length, kSensor, "a");
  }
  host::StringOutput out;
  host::print_statistics_json(out, statistics_in(trace.archive()));
  const auto json = nlohmann::json::parse(out.take());
  std::vector<std::pair<uint64_t, uint64_t>> bins;
  for (const auto& bin : json["jobs"][0]["histogram"])
    bins.emplace_back(bin["up_to_ticks"], bin["count"]);
  EXPECT_EQ(bins, (std::vector<std::pair<uint64_t, uint64_t>>{{1, 1},
                                                              {2, 1},
                                                              {5, 1},
                                                              {10, 2},
                                                              {20, 1},
                                                              {50, 0},
                                                              {100, 0},
                                                              {200, 0},
                                                              {500, 0},
                                                              {1000, 1}}));
}

// How many violations a line has; one that cannot be judged counts as one.
size_t violations_of(const std::string& line, const host::Statistics& statistics) {
  const auto budget = host::parse_budget(line, "budget");
  EXPECT_TRUE(budget.ok()) << line;
  const auto verdicts = host::hold_to_budget(statistics, budget.value(), "budget");
  EXPECT_TRUE(verdicts.ok()) << line;
  const host::Verdict& verdict = verdicts.value().at(0);
  return verdict.violations.size() + (verdict.not_judged.empty() ? 0 : 1);
}

TEST(Jobs, CanBeHeldToABudget) {
  JobTrace trace;
  for (const uint64_t length : {50, 60, 70, 150}) {
    trace.begin(length * 10'000, kSensor, "a", JobTrace::terms(0, 100));
    trace.end(length * 10'000 + length, kSensor, "a");
  }
  const auto whole = statistics_in(trace.archive(), exact());
  for (const char* kept :
       {"job thread=sensor late <= 1", "job name=a late_share <= 25%", "job max <= 150us",
        "job on_time >= 3", "job count above 60us = 2", "job count above 60us >= 2",
        "job share above 150ticks = 0", "job in_doubt = 0", "job_interval count = 3",
        "job category=recorded overdue = 0"})
    EXPECT_EQ(violations_of(kept, whole), 0U) << kept;
  for (const char* violated :
       {"job late = 0", "job late_share < 25%", "job max < 150us", "job count above 59.5us = 2",
        "job share above 60us <= 49%", "job name=b late = 0"})
    EXPECT_EQ(violations_of(violated, whole), 1U) << violated;

  // A bound from above that a job in doubt may break is not kept.
  trace.begin(2'000'000, kSensor, "a", JobTrace::terms(0, 100));
  trace.end(2'000'010, kSensor, "a");
  trace.lose(2'000'003, 2'000'004);
  const auto doubtful = statistics_in(trace.archive(), exact());
  for (const char* unknown : {"job late <= 1", "job max <= 150us", "job count above 60us <= 2"})
    EXPECT_EQ(violations_of(unknown, doubtful), 1U) << unknown;
  for (const char* kept : {"job on_time >= 3", "job in_doubt = 1", "job max >= 150us"})
    EXPECT_EQ(violations_of(kept, doubtful), 0U) << kept;
}

TEST(Jobs, LimitsOfLengthsAreRefusedWhereTheyMeanNothing) {
  for (const char* wrong : {"job count above 10 = 0", "job max above 10us = 0",
                            "busy count above 10us = 0", "job count above -1us = 0"})
    EXPECT_FALSE(host::parse_budget(wrong, "budget").ok()) << wrong;
}

}  // namespace
}  // namespace barefxt::test::jobs_test
