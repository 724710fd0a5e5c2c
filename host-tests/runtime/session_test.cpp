// Start, stop, full rings, and what is counted.

#include "configuration.h"
#include "session_fixture.h"

namespace barefxt::test::session_test {
namespace {

BAREFXT_CATEGORY(work, 3);

using RunTest = SessionTest;

TEST_F(RunTest, StartRefusesWhatCannotWorkAndSaysWhy) {
  barefxt_config bad = config(16);
  bad.cpus = 0;
  EXPECT_EQ(barefxt_start(&bad), BAREFXT_ERROR_CPU_COUNT);
  bad.cpus = BAREFXT_MAX_CPUS + 1;
  EXPECT_EQ(barefxt_start(&bad), BAREFXT_ERROR_CPU_COUNT);
  bad = config(1);
  EXPECT_EQ(barefxt_start(&bad), BAREFXT_ERROR_MEMORY_TOO_SMALL);
  bad = config(16);
  bad.memory = reinterpret_cast<uint8_t*>(memory_.data()) + 4;
  EXPECT_EQ(barefxt_start(&bad), BAREFXT_ERROR_MISALIGNED);
  barefxt_host_counter = [] { return uint64_t{7}; };
  const barefxt_config good = config(16);
  EXPECT_EQ(barefxt_start(&good), BAREFXT_ERROR_COUNTER_STOPPED);
}

TEST_F(RunTest, ASteadyCounterThatAllCpusShareNeedsNothing) {
  start();
  EXPECT_EQ(barefxt_clock_sync(kCpus, 0), BAREFXT_OK);
  EXPECT_EQ(barefxt_clock_changed(1000, 0), BAREFXT_ERROR_CLOCK_STEADY);
  const uint64_t before = barefxt_ticks();
  barefxt_clock_tick();
  EXPECT_EQ(barefxt_ticks(), before + 1);
}

TEST_F(RunTest, StartTwiceIsRefused) {
  start();
  const barefxt_config second = config(16);
  EXPECT_EQ(barefxt_start(&second), BAREFXT_ERROR_RUNNING);
}

TEST_F(RunTest, NothingIsRecordedBeforeStartOrAfterStop) {
  BAREFXT_INSTANT(work, "before");
  start();
  BAREFXT_INSTANT(work, "during");
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records, 1u);
  BAREFXT_INSTANT(work, "after");
  const PlainArchive archive = decode_plainly(rebuild(dump()).archive);
  EXPECT_TRUE(archive.events("before").empty());
  EXPECT_EQ(archive.events("during").size(), 1u);
  EXPECT_TRUE(archive.events("after").empty());
}

TEST_F(RunTest, AWriterThatPassedTheCategoryTestBeforeStopStillGetsNoRecord) {
  start();
  barefxt_stop();
  Reservation reservation;
  EXPECT_FALSE((try_reserve<Owner::kCpu, 16>(reservation)));
  EXPECT_FALSE(reserve_slowly(Owner::kCpu, 16, reservation));
  EXPECT_EQ(rings[0].records_lost.value(), 0u);  // refused, not lost
}

TEST_F(RunTest, StartAgainClearsWhatWasRecorded) {
  start();
  BAREFXT_INSTANT(work, "first run");
  barefxt_stop();
  start();
  BAREFXT_INSTANT(work, "second run");
  const PlainArchive archive = stop_and_read();
  EXPECT_TRUE(archive.events("first run").empty());
  EXPECT_EQ(archive.events("second run").size(), 1u);
}

TEST_F(RunTest, RecordsSpanSegmentsInOrderWithoutLoss) {
  start(64);
  constexpr uint32_t kRecords = 5000;
  for (uint32_t i = 0; i < kRecords; ++i)
    BAREFXT_INSTANT(work, "n", BAREFXT_ARG_U32("i", i), BAREFXT_ARG_U64("wide", i));
  const PlainArchive archive = stop_and_read();
  const auto events = archive.events("n");
  ASSERT_EQ(events.size(), kRecords);
  for (uint32_t i = 0; i < kRecords; ++i) {
    ASSERT_EQ(events[i].argument("i")->bits, i);
    if (i == 0) continue;
    ASSERT_GT(events[i].timestamp, events[i - 1].timestamp);
  }
  EXPECT_TRUE(archive.events("drop_stats").empty());
}

TEST_F(RunTest, AFullRingDropsTheNewestAndTheArchiveSaysHowMuch) {
  start(2);
  constexpr uint32_t kRecords = 1000;
  for (uint32_t i = 0; i < kRecords; ++i) BAREFXT_INSTANT(work, "n", BAREFXT_ARG_U32("i", i));
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records + report.lost_records, kRecords);
  EXPECT_GT(report.lost_records, 0u);

  const PlainArchive archive = stop_and_read();
  const auto events = archive.events("n");
  EXPECT_EQ(events.size(), report.recorded_records);
  for (uint32_t i = 0; i < events.size(); ++i) ASSERT_EQ(events[i].argument("i")->bits, i);
  const auto drops = archive.events("drop_stats");
  ASSERT_EQ(drops.size(), 1u);
  EXPECT_EQ(drops[0].argument("records")->bits, report.lost_records);
  EXPECT_EQ(drops[0].argument("bytes")->bits, report.lost_records * 24);
  EXPECT_EQ(drops[0].argument("where")->text, "ring");
  EXPECT_EQ(drops[0].timestamp, events.back().timestamp);
}

TEST_F(RunTest, OneFullRingDoesNotHinderTheOthers) {
  start(2);
  for (uint32_t i = 0; i < 1000; ++i) BAREFXT_INSTANT(work, "flood");
  run_on_cpu(1);
  BAREFXT_INSTANT(work, "elsewhere");
  run_on_cpu(0);
  EXPECT_EQ(stop_and_read().events("elsewhere").size(), 1u);
}

TEST_F(RunTest, ARecordThatNoSegmentHoldsIsCountedAsLost) {
  start();
  const std::string bytes(kMaxRecordBytes / 2, 'x');
  BAREFXT_INSTANT(work, "huge", BAREFXT_ARG_BLOB("a", bytes.data(), bytes.size()),
                  BAREFXT_ARG_BLOB("b", bytes.data(), bytes.size()));
  BAREFXT_INSTANT(work, "small");
  EXPECT_EQ(barefxt_stop().lost_records, 1u);
  const PlainArchive archive = stop_and_read();
  EXPECT_TRUE(archive.events("huge").empty());
  EXPECT_EQ(archive.events("small").size(), 1u);
}

TEST_F(RunTest, WhatACpuBeyondTheConfiguredOnesWouldRecordIsCountedAsLost) {
  start();
  run_on_cpu(kCpus + 1);
  BAREFXT_INSTANT(work, "nowhere");
  run_on_cpu(0);
  BAREFXT_INSTANT(work, "here");
  const PlainArchive archive = stop_and_read();
  EXPECT_TRUE(archive.events("nowhere").empty());
  ASSERT_EQ(archive.events("drop_stats").size(), 1u);
  EXPECT_EQ(archive.events("drop_stats")[0].thread, 0x7f000000u + kCpus + 1);
  EXPECT_EQ(archive.events("drop_stats")[0].argument("records")->bits, 1u);
  EXPECT_EQ(archive.events("here").size(), 1u);
}

TEST_F(RunTest, AnUnfinishedRecordIsLeftOutReportedAndItsSegmentNotReused) {
  start(2);
  Reservation interrupted;
  ASSERT_TRUE((try_reserve<Owner::kCpu, 24>(interrupted)));
  BAREFXT_INSTANT(work, "behind it");
  EXPECT_EQ(barefxt_stop().unfinished_records, 1u);
  const Rebuilt rebuilt = rebuild(dump());
  EXPECT_TRUE(rebuilt.reports("never finished")) << rebuilt.messages;
  EXPECT_EQ(decode_plainly(rebuilt.archive).events("behind it").size(), 1u);

  // The writer wakes up in the next session and finishes. Nothing of that session may suffer.
  barefxt_config again = config_of(memory_.data(), memory_.size() * sizeof(uint64_t), kCpus);
  ASSERT_EQ(barefxt_start(&again), BAREFXT_OK);
  for (uint32_t i = 0; i < 10; ++i) BAREFXT_INSTANT(work, "next");
  interrupted.words[1] = ~uint64_t{0};
  interrupted.words[2] = ~uint64_t{0};
  RecordHeaderWord::commit(interrupted.words, 0x1234);
  EXPECT_EQ(stop_and_read().events("next").size(), 10u);
}

TEST_F(RunTest, ASegmentWhoseEndItsWriterHadNoTimeToStoreIsReadWhole) {
  start(2);
  for (uint32_t i = 0; i < 10; ++i) BAREFXT_INSTANT(work, "kept");
  barefxt_stop();
  rings[0].segment(0).end.store_relaxed(0);
  const Rebuilt rebuilt = rebuild(dump());
  EXPECT_EQ(decode_plainly(rebuilt.archive).events("kept").size(), 10u);
}

TEST_F(RunTest, ASegmentThatAnInterruptedWriterPreparesIsLeftToIt) {
  start(2);
  BAREFXT_INSTANT(work, "first");
  // The state that a writer leaves if it is interrupted between its claim and its swap.
  SegmentHeader& claimed = rings[0].segment(1);
  claimed.state.store_relaxed(static_cast<uint32_t>(SegmentState::kClaimed));
  claimed.sequence = 1;
  barefxt_stop();
  barefxt_config again = config_of(memory_.data(), memory_.size() * sizeof(uint64_t), kCpus);
  ASSERT_EQ(barefxt_start(&again), BAREFXT_OK);
  EXPECT_EQ(claimed.state.load_relaxed(), static_cast<uint32_t>(SegmentState::kClaimed));
  EXPECT_EQ(claimed.sequence, 1u);
  for (uint32_t i = 0; i < 1000; ++i) BAREFXT_INSTANT(work, "second");
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records + report.lost_records, 1000u);
  const Rebuilt rebuilt = rebuild(dump());
  EXPECT_EQ(decode_plainly(rebuilt.archive).events("second").size(), report.recorded_records);
}

TEST_F(RunTest, ThreadsOnOneRingLoseNothingAndTearNothing) {
  start(512);
  constexpr uint32_t kEach = 5000;
  write_from_threads(kEach);
  const uint64_t lost = barefxt_stop().lost_records;
  const auto events = stop_and_read().events("shared");
  EXPECT_EQ(events.size() + lost, kWriters * kEach);
  expect_intact(events);
}

}  // namespace
}  // namespace barefxt::test::session_test
