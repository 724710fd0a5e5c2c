// Snapshots: a moment of a session that goes on, complete for an interval that all CPUs share.

#include <thread>

#include "session_fixture.h"

namespace barefxt::test::snapshot_test {
namespace {

class SnapshotTest : public SessionTest {
 protected:
  void record(unsigned segments) { start(segments, ~0u, BAREFXT_MODE_CIRCULAR); }

  static void expect_a_run(const std::vector<uint64_t>& found, uint64_t last) {
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.back(), last);
    for (size_t i = 1; i < found.size(); ++i) ASSERT_EQ(found[i], found[i - 1] + 1);
  }
};

// Each read of it counts.
TEST_F(SnapshotTest, TheCounterIsReadAsOftenWhateverTheNumberOfSegments) {
  std::vector<uint64_t> reads;
  for (const unsigned segments : {8u, 32u}) {
    record(segments);
    // All that one CPU has was before what the other has: each of its segments is looked at.
    for (const uint32_t cpu : {0u, 1u}) {
      run_on_cpu(cpu);
      write_numbers(0, 20000);
    }
    run_on_cpu(0);
    const uint64_t before = barefxt_ticks();
    ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
    reads.push_back(barefxt_ticks() - before);
    barefxt_snapshot_release();
    barefxt_stop();
  }
  EXPECT_EQ(reads[0], reads[1]);
}

TEST_F(SnapshotTest, HoldsTheNewestWhileRecordingGoesOn) {
  record(8);
  write_numbers(0, 20000);
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  write_numbers(20000, 20100);  // not in it
  const PlainArchive archive = read(dump());
  EXPECT_TRUE(barefxt_running());
  const std::vector<uint64_t> found = numbers(archive);
  expect_a_run(found, 19999);
  EXPECT_EQ(found.size() + reported_lost(archive), 20000u);
  // Five of eight segments were held, all full except the last.
  EXPECT_GT(found.size(), 4 * ((kSegmentBytes - 200) / kNumberBytes));
  EXPECT_TRUE(rebuilt_.reports("host (snapshot)")) << rebuilt_.messages;

  // And the session has lost nothing by it.
  write_numbers(20100, 20200);
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.lost_records, 0u);
  EXPECT_EQ(report.recorded_records + report.overwritten_records, 20200u);
  expect_a_run(numbers(stop_and_read()), 20199);
}

TEST_F(SnapshotTest, WritersOverwriteTheRestMeanwhileAndNeverWhatIsHeld) {
  record(8);
  write_numbers(0, 20000);
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  write_numbers(20000, 40000);
  EXPECT_EQ(rings[0].records_lost.value(), 0u) << "three segments are enough to go on with";
  const PlainArchive archive = read(dump());
  const std::vector<uint64_t> found = numbers(archive);
  expect_a_run(found, 19999);
  EXPECT_EQ(found.size() + reported_lost(archive), 20000u);
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records + report.overwritten_records, 40000u);
}

TEST_F(SnapshotTest, IsCutToWhatAllCpusStillHave) {
  record(8);
  run_on_cpu(1);
  write_numbers(0, 100);  // long before
  run_on_cpu(0);
  write_numbers(100, 20000);
  run_on_cpu(1);
  write_numbers(20000, 20010);
  run_on_cpu(0);
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  const PlainArchive archive = read(dump());
  const std::vector<uint64_t> found = numbers(archive);
  // CPU 1 still has its first hundred, from a time that CPU 0 has overwritten.
  expect_a_run(found, 20009);
  EXPECT_EQ(found.size() + reported_lost(archive), 20010u);
  EXPECT_TRUE(rebuilt_.reports("what all CPUs still had")) << rebuilt_.messages;
}

TEST_F(SnapshotTest, NothingIsCutWhereNothingWasOverwritten) {
  record(8);
  write_numbers(0, 50);
  run_on_cpu(2);
  write_numbers(50, 60);
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  const PlainArchive archive = read(dump());
  EXPECT_EQ(numbers(archive).size(), 60u);
  EXPECT_EQ(reported_lost(archive), 0u);
  EXPECT_FALSE(rebuilt_.reports("what all CPUs still had")) << rebuilt_.messages;
}

TEST_F(SnapshotTest, OfASessionThatKeepsTheOldestHoldsAllSoFar) {
  start(8);
  write_numbers(0, 500);
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  write_numbers(500, 600);
  EXPECT_EQ(numbers(read(dump())).size(), 500u);
  EXPECT_EQ(numbers(stop_and_read()).size(), 600u);
}

TEST_F(SnapshotTest, SeveralAndTheSessionItselfGoIntoOneArchive) {
  record(8);
  write_numbers(0, 300);
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  std::vector<uint8_t> all = dump();
  write_numbers(300, 400);
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  const std::vector<uint8_t> second = dump();
  all.insert(all.end(), second.begin(), second.end());
  barefxt_stop();
  const std::vector<uint8_t> last = dump();
  all.insert(all.end(), last.begin(), last.end());
  EXPECT_EQ(numbers(read(all)).size(), 300u + 400u + 400u);
}

TEST_F(SnapshotTest, AnUnfinishedRecordIsLeftOutAndReported) {
  record(8);
  write_numbers(0, 10);
  Reservation sleeper;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 16, sleeper));
  write_numbers(10, 20);
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  EXPECT_EQ(numbers(read(dump())).size(), 20u);
  EXPECT_TRUE(rebuilt_.reports("1 record (16 bytes) reserved on the target and never finished"))
      << rebuilt_.messages;
}

TEST_F(SnapshotTest, ASegmentThatAWriterIsLookingAtStaysTheWriters) {
  record(8);
  write_numbers(0, 20000);
  // Interrupted while it looks whether the oldest may be overwritten.
  SegmentHeader* oldest = &rings[0].segment(0);
  for (uint32_t slot = 0; slot < 8; ++slot)
    if (rings[0].segment(slot).sequence < oldest->sequence) oldest = &rings[0].segment(slot);
  oldest->state.store_release(static_cast<uint32_t>(SegmentState::kLeaving));
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  const PlainArchive archive = read(dump());
  EXPECT_EQ(numbers(archive).size() + reported_lost(archive), 20000u) << "counted all the same";
  // Or a second writer would look while the first still thinks it is the only one.
  EXPECT_EQ(state_of(*oldest), SegmentState::kLeaving);
  barefxt_stop();
  const PlainArchive whole = read(dump());
  EXPECT_EQ(numbers(whole).size() + reported_lost(whole), 20000u);
  EXPECT_EQ(state_of(*oldest), SegmentState::kLeaving);
}

TEST_F(SnapshotTest, ReleasedItLeavesNothingBehind) {
  record(8);
  write_numbers(0, 20000);
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  EXPECT_EQ(barefxt_snapshot(), BAREFXT_ERROR_SNAPSHOT_HELD);
  barefxt_snapshot_release();
  for (uint32_t slot = 0; slot < 8; ++slot)
    EXPECT_NE(static_cast<SegmentState>(rings[0].segment(slot).state.load_acquire()),
              SegmentState::kHeld);
  const barefxt_writer nowhere = {[](void*, const uint8_t*, size_t) {}, nullptr};
  EXPECT_EQ(barefxt_dump(&nowhere, BAREFXT_DUMP_BINARY), BAREFXT_ERROR_RUNNING);
}

TEST_F(SnapshotTest, IsRefusedWhereItCannotBeHad) {
  EXPECT_EQ(barefxt_snapshot(), BAREFXT_ERROR_NEVER_STARTED);
  record(3);
  EXPECT_EQ(barefxt_snapshot(), BAREFXT_ERROR_MEMORY_TOO_SMALL);
  barefxt_stop();
  start(8, ~0u, BAREFXT_MODE_STREAMING);
  EXPECT_EQ(barefxt_snapshot(), BAREFXT_ERROR_MODE);
}

TEST_F(SnapshotTest, TakenAgainAndAgainBesideWritersOnThreadsItIsSoundEachTime) {
  record(8);
  constexpr uint32_t kEach = 20000;
  std::vector<std::vector<uint8_t>> taken;
  bool over = false;
  std::thread taker([&] {
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE) && taken.size() < 50) {
      ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
      taken.push_back(dump());
    }
  });
  write_from_threads(kEach);
  __atomic_store_n(&over, true, __ATOMIC_RELEASE);
  taker.join();
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records + report.lost_records + report.overwritten_records,
            kWriters * kEach);
  for (const std::vector<uint8_t>& one : taken) expect_intact(read(one).events("shared"));
}

}  // namespace
}  // namespace barefxt::test::snapshot_test
