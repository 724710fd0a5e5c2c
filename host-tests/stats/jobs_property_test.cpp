// Jobs of a simulated kernel, which knows when each was released, ended and was due, compared with
// the statistics of the trace.
#include <gtest/gtest.h>
#include <random>

#include "job_trace.h"
#include "summing.h"

namespace barefxt::test::jobs_property_test {
namespace {

constexpr uint64_t kThread = 1;
constexpr uint64_t kDeadline = 100;

struct Life {
  uint64_t release;
  uint64_t end;
};

struct Simulated {
  JobTrace trace;
  std::vector<Life> jobs;         // recorded ones
  std::vector<Life> activations;  // from wakeup to block
};

// A thread that is woken, kept off for a while, does a job, in which it may block, and blocks.
Simulated simulate(std::mt19937& random, unsigned jobs) {
  const auto up_to = [&](uint64_t most) {
    return 1 + std::uniform_int_distribution<uint64_t>(0, most - 1)(random);
  };
  Simulated result;
  JobTrace& trace = result.trace;
  uint64_t now = 100;
  for (unsigned i = 0; i < jobs; ++i) {
    const uint64_t release = now += up_to(200);
    trace.wake(release, kThread);
    trace.change(now += up_to(60), JobTrace::kIdle, JobTrace::State::kNew, kThread);
    trace.begin(now += up_to(5), kThread, "job", JobTrace::terms(0, kDeadline));
    uint64_t woken = release;
    if (up_to(3) == 1) {
      trace.change(now += up_to(20), kThread, JobTrace::State::kBlocked, JobTrace::kIdle);
      result.activations.push_back({woken, now});
      trace.wake(woken = now += up_to(20), kThread);
      trace.change(now += up_to(20), JobTrace::kIdle, JobTrace::State::kNew, kThread);
    }
    trace.end(now += up_to(50), kThread, "job");
    result.jobs.push_back({release, now});
    trace.change(now += up_to(5), kThread, JobTrace::State::kBlocked, JobTrace::kIdle);
    result.activations.push_back({woken, now});
  }
  return result;
}

struct Expected {
  uint64_t on_time = 0;
  uint64_t late = 0;
};

// Jobs that no loss touches.
Expected expected_of(const std::vector<Life>& lives, const std::vector<Life>& losses) {
  Expected sum;
  for (const Life& one : lives) {
    bool is_whole = true;
    for (const Life& loss : losses)
      is_whole = is_whole && (one.end <= loss.release || loss.end <= one.release);
    if (!is_whole) continue;
    ++(one.end - one.release <= kDeadline ? sum.on_time : sum.late);
  }
  return sum;
}

host::StatisticsOptions options() {
  host::StatisticsOptions result;
  result.deadlines.push_back({"sensor", kDeadline * 1000});
  return result;
}
const host::JobStatistics& recorded(const host::Statistics& statistics) {
  return statistics.jobs.at({kThread, "job", host::JobSource::kRecorded});
}
const host::JobStatistics& woken(const host::Statistics& statistics) {
  return statistics.jobs.at({kThread, "wakeup", host::JobSource::kWakeups});
}

TEST(JobsOfAKernel, AreJudgedAsTheKernelJudgesThem) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    Simulated simulated = simulate(random, 30);
    const host::Statistics statistics = statistics_in(simulated.trace.archive(), options());
    for (const auto& [lives, job] : {std::pair{&simulated.jobs, &recorded(statistics)},
                                     std::pair{&simulated.activations, &woken(statistics)}}) {
      const Expected expected = expected_of(*lives, {});
      EXPECT_EQ(job->on_time, expected.on_time) << seed;
      EXPECT_EQ(job->late, expected.late) << seed;
      EXPECT_EQ(job->in_doubt + job->not_due + job->overdue, 0U) << seed;
      uint64_t total = 0;
      for (const Life& one : *lives) total += one.end - one.release;
      EXPECT_EQ(job->response.total(), total) << seed;
    }
  }
}

TEST(JobsOfAKernel, OfWhichRecordsWereLostAreNeverSaidToBeMoreThanTheyWere) {
  uint64_t judged = 0;
  uint64_t whole = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    Simulated simulated = simulate(random, 30);
    std::vector<Life> losses;
    uint64_t at = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const uint64_t begin = at + 1 + random() % 1500;
      const uint64_t end = begin + 1 + random() % 100;
      simulated.trace.lose(begin, end);
      losses.push_back({begin, end});
      at = end;
    }
    const host::Statistics statistics = statistics_in(simulated.trace.archive(), options());
    for (const auto& [lives, job] : {std::pair{&simulated.jobs, &recorded(statistics)},
                                     std::pair{&simulated.activations, &woken(statistics)}}) {
      const Expected expected = expected_of(*lives, losses);
      EXPECT_LE(job->on_time, expected.on_time) << seed;
      EXPECT_LE(job->late, expected.late) << seed;
      judged += job->judged();
      whole += expected.on_time + expected.late;
    }
  }
  // Nor are many fewer judged than could be: one behind each loss at most.
  EXPECT_GT(judged * 100, whole * 90);
}

}  // namespace
}  // namespace barefxt::test::jobs_property_test
