// Statistics of durations, interrupts, counters and flows amid losses: archives small enough to be
// added up by hand.
#include <gtest/gtest.h>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"
#include "summing.h"

namespace barefxt::test::losses_test {
namespace {

using fxt::EventType;
using host::ArchiveArgument;
using host::ArchiveText;

constexpr uint64_t kThread = 1;
constexpr uint64_t kCpu0 = 100;  // pseudo-threads
constexpr uint64_t kCpu1 = 101;

// An archive, written a record a line.
class Archive {
 public:
  Archive() {
    name_thread(writer_, kThread, 5, "work");
    name_thread(writer_, kCpu0, 5, "cpu-0");
    name_thread(writer_, kCpu1, 5, "cpu-1");
  }
  Archive& event(EventType type, uint64_t time, uint64_t thread, const char* category,
                 const char* text, uint64_t trailing = 0) {
    add_event(writer_, type, time, {0, 5, thread}, category, text, trailing);
    return *this;
  }
  Archive& begin(uint64_t time, uint64_t thread = kThread, const char* text = "n") {
    return event(EventType::kDurationBegin, time, thread, "c", text);
  }
  Archive& end(uint64_t time, uint64_t thread = kThread, const char* text = "n") {
    return event(EventType::kDurationEnd, time, thread, "c", text);
  }
  Archive& complete(uint64_t from, uint64_t to, uint64_t thread = kThread) {
    return event(EventType::kDurationComplete, from, thread, "c", "n", to);
  }
  Archive& loss(uint64_t from, uint64_t to, uint64_t cpu) {
    return event(EventType::kDurationComplete, from, cpu, "barefxt", "drop_stats", to);
  }
  Archive& count(uint64_t time, int32_t value) {
    const auto argument = ArchiveArgument::int32(ArchiveText::spelled_out("v"), value);
    add_event(writer_, EventType::kCounter, time, {0, 5, kThread}, "c", "n", 0, {&argument, 1});
    return *this;
  }
  Archive& change(uint64_t time, uint16_t cpu, uint64_t from, uint64_t to) {
    (void)writer_.context_switch({.timestamp = time,
                                  .cpu = cpu,
                                  .outgoing_state = fxt::ThreadState::kBlocked,
                                  .outgoing = from,
                                  .incoming = to},
                                 {});
    return *this;
  }
  host::Statistics statistics() { return statistics_in(writer_.text()); }

 private:
  MemoryArchive writer_{1000};
};

const host::ProbeName kLabel{"c", "n"};

TEST(StatisticsOfLosses, ADurationAcrossALossIsInDoubt) {
  const host::Statistics all =
      Archive().begin(10).loss(12, 14, kCpu1).end(20).begin(30).end(33).statistics();
  const host::DurationStatistics& duration = all.durations.at(kLabel);
  EXPECT_EQ(duration.in_doubt, 1U);
  EXPECT_EQ(duration.total.count(), 1U);
  EXPECT_EQ(duration.total.total(), 3U);
}

TEST(StatisticsOfLosses, ADurationWithinALossIsInDoubt) {
  const host::Statistics all = Archive().begin(11).end(13).loss(10, 14, kCpu1).statistics();
  EXPECT_EQ(all.durations.at(kLabel).in_doubt, 1U);
  EXPECT_EQ(all.durations.at(kLabel).total.count(), 0U);
}

TEST(StatisticsOfLosses, ACompleteDurationIsMeasuredButItsSelfTimeIsNot) {
  const host::Statistics all =
      Archive().loss(12, 14, kCpu1).complete(10, 20).complete(30, 34).statistics();
  const host::DurationStatistics& duration = all.durations.at(kLabel);
  EXPECT_EQ(duration.total.total(), 10U + 4U);
  EXPECT_EQ(duration.self_count, 1U);
  EXPECT_EQ(duration.self, 4U);
}

TEST(StatisticsOfLosses, AnInterruptIsInDoubtByLossesOfItsOwnCpuOnly) {
  const host::Statistics all = Archive()
                                   .begin(10, kCpu0)
                                   .begin(11, kCpu1)
                                   .loss(12, 14, kCpu1)
                                   .end(15, kCpu1)
                                   .end(18, kCpu0)
                                   .statistics();
  EXPECT_EQ(all.interrupts.at({0, "n"}).length.total(), 8U);
  EXPECT_FALSE(all.interrupts.contains({1, "n"}));
  EXPECT_EQ(all.durations.at(kLabel).in_doubt, 1U);
}

TEST(StatisticsOfLosses, ALossOfAThreadThatIsNoCpuIsOneOfAll) {
  const host::Statistics all = Archive()
                                   .change(5, 0, 7, 8)
                                   .change(6, 1, 9, 10)
                                   .loss(10, 20, kThread)
                                   .change(30, 0, 8, 7)
                                   .statistics();
  for (const unsigned cpu : {0U, 1U}) EXPECT_EQ(all.cpus.at(cpu).lost, 10U);
  EXPECT_EQ(all.cpus.at(0).unknown, 10U);
  EXPECT_EQ(all.cpus.at(0).busy, 5U + 10U);
  EXPECT_EQ(all.cpus.at(1).unknown, 10U + 10U);  // the thread since then is unknown
  EXPECT_EQ(all.loss_ticks, 10U);
}

TEST(StatisticsOfLosses, ACpuFirstSeenAmidALossOfAllIsObservedFromItsOwnLossOn) {
  const host::Statistics all = Archive()
                                   .change(5, 0, 7, 8)
                                   .loss(10, 20, kThread)
                                   .loss(12, 14, kCpu1)
                                   .change(30, 1, 9, 10)
                                   .change(40, 1, 10, 9)
                                   .statistics();
  EXPECT_EQ(all.cpus.at(1).observed, 40U - 12U);
  EXPECT_EQ(all.cpus.at(1).busy, 40U - 20U);
}

TEST(StatisticsOfLosses, AMissingBeginningIsUnknownFromTheLossThatReportsIt) {
  const host::Statistics all =
      Archive().begin(0).loss(0, 40, kCpu0).change(50, 0, 7, 8).change(60, 0, 8, 7).statistics();
  const host::CpuStatistics& cpu = all.cpus.at(0);
  EXPECT_EQ(cpu.observed, 60U);
  EXPECT_EQ(cpu.unknown, 40U);
  EXPECT_EQ(cpu.busy, 20U);
  EXPECT_EQ(all.threads.at(7).time(host::ThreadTime::kRunning), 10U);
}

TEST(StatisticsOfLosses, OfOneTickLoseWhatWasKnown) {
  const host::Statistics all =
      Archive().change(5, 0, 7, 8).loss(9, 9, kCpu0).change(30, 0, 8, 7).statistics();
  EXPECT_EQ(all.cpus.at(0).unknown, 1U);
  EXPECT_EQ(all.threads.at(8).run.count(), 0U);
}

TEST(StatisticsOfLosses, ACounterStandsUntilTheLoss) {
  const host::Statistics all =
      Archive().count(10, 4).loss(14, 30, kCpu1).count(40, 1).begin(48).statistics();
  const host::CounterStatistics& counter = all.counters.at({kLabel, 0, "v"});
  EXPECT_EQ(counter.covered, 4U + 8U);
  EXPECT_DOUBLE_EQ(counter.time_weighted_mean(), (4 * 4 + 8 * 1) / 12.0);
  EXPECT_DOUBLE_EQ(counter.mean(), 2.5);
}

TEST(StatisticsOfLosses, AFlowAcrossALossIsInDoubt) {
  const auto flow = [](EventType type, uint64_t time, uint64_t id, Archive& archive) {
    archive.event(type, time, kThread, "c", "n", id);
  };
  Archive archive;
  flow(EventType::kFlowBegin, 5, 1, archive);
  archive.loss(6, 8, kCpu0);
  flow(EventType::kFlowEnd, 9, 1, archive);
  flow(EventType::kFlowBegin, 10, 1, archive);
  flow(EventType::kFlowStep, 12, 1, archive);
  flow(EventType::kFlowEnd, 17, 1, archive);
  flow(EventType::kFlowBegin, 20, 2, archive);
  const host::Statistics all = archive.statistics();
  const host::FlowStatistics& flows = all.flows.at(kLabel);
  EXPECT_EQ(flows.in_doubt, 1U);
  EXPECT_EQ(flows.end_to_end.count(), 1U);
  EXPECT_EQ(flows.end_to_end.longest(), 7U);
  EXPECT_EQ(flows.unfinished, 1U);
  EXPECT_EQ(flows.steps, 1U);
}

}  // namespace
}  // namespace barefxt::test::losses_test
