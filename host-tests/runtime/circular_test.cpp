// The flight recorder: a full ring overwrites its oldest segment, and every record is accounted
// for.

#include "session_fixture.h"

namespace barefxt::test::circular_test {
namespace {

BAREFXT_CATEGORY(work, 3);

class CircularTest : public SessionTest {
 protected:
  void record(unsigned segments) { start(segments, ~0u, BAREFXT_MODE_CIRCULAR); }
};

TEST_F(CircularTest, KeepsTheNewestWithoutAHoleAndCountsOverwrites) {
  for (const unsigned segments : {3u, 4u, 16u}) {
    record(segments);
    constexpr uint32_t kRecords = 20000;
    write_numbers(0, kRecords);
    const barefxt_stop_report report = barefxt_stop();
    EXPECT_EQ(report.lost_records, 0u);
    EXPECT_EQ(report.recorded_records + report.overwritten_records, kRecords);
    // All segments but the open one are full, and the open one has a record at least.
    EXPECT_GT(report.recorded_records, (segments - 1) * ((kSegmentBytes - 200) / kNumberBytes));

    const PlainArchive archive = stop_and_read();
    const std::vector<uint64_t> found = numbers(archive);
    ASSERT_EQ(found.size(), report.recorded_records);
    for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], kRecords - found.size() + i);
    const auto drops = archive.events("drop_stats");
    ASSERT_EQ(drops.size(), 1u);
    EXPECT_EQ(drops[0].argument("records")->bits, report.overwritten_records);
    EXPECT_EQ(drops[0].argument("bytes")->bits, report.overwritten_records * kNumberBytes);
    EXPECT_LE(drops[0].value, archive.events("n").front().timestamp);
  }
}

TEST_F(CircularTest, ARingThatIsNotYetFullOverwritesNothing) {
  record(16);
  write_numbers(0, 100);
  EXPECT_EQ(barefxt_stop().overwritten_records, 0u);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(numbers(archive).size(), 100u);
  EXPECT_TRUE(archive.events("drop_stats").empty());
}

TEST_F(CircularTest, WantsThreeSegments) {
  barefxt_config two = config(2);
  two.mode = BAREFXT_MODE_CIRCULAR;
  EXPECT_EQ(barefxt_start(&two), BAREFXT_ERROR_MEMORY_TOO_SMALL);
}

TEST_F(CircularTest, ASegmentWithAnUnfinishedRecordIsPassedOverUntilItIsFinished) {
  record(4);
  write_numbers(0, 10);
  Reservation sleeper;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 16, sleeper));
  write_numbers(10, 5000);
  // It stays, though everything around it was overwritten many times.
  EXPECT_EQ(segment_of(sleeper).sequence, 0u);
  EXPECT_EQ(barefxt_unfinished(), 1u);

  RecordHeaderWord::commit(
      sleeper.words, fxt::Event::make(fxt::EventType::kInstant, 2, 0, fxt::ThreadRef::index(1),
                                      fxt::StringRef::empty(), fxt::StringRef::empty()));
  write_numbers(5000, 10000);
  EXPECT_GT(segment_of(sleeper).sequence, 0u);
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records + report.overwritten_records + report.lost_records, 10001u);
  EXPECT_EQ(report.lost_records, 0u);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(reported_lost(archive), report.overwritten_records);
  EXPECT_EQ(numbers(archive).back(), 9999u);
}

TEST_F(CircularTest, AReservationWithoutAPlaceholderKeepsItsSegmentToo) {
  record(4);
  write_numbers(0, 10);
  Reservation sleeper;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 16, sleeper));
  *sleeper.words = 0;  // as it is between the swap and the first store
  write_numbers(10, 5000);
  EXPECT_EQ(segment_of(sleeper).sequence, 0u);
}

TEST_F(CircularTest, WithNothingToOverwriteTheNewestIsDroppedAndRecordingGoesOnLater) {
  record(3);
  std::vector<Reservation> sleepers;
  Reservation sleeper;
  // One unfinished record in each of the three segments.
  for (uint32_t sequence = 0; sequence < 3; ++sequence) {
    ASSERT_TRUE(reserve_slowly(Owner::kCpu, 16, sleeper));
    ASSERT_EQ(segment_of(sleeper).sequence, sequence);
    sleepers.push_back(sleeper);
    while (sequence < 2 && segment_of(sleepers.back()).end.load_acquire() == 0) write_numbers(7, 8);
  }
  write_numbers(0, 1000);
  EXPECT_GT(rings[0].records_lost.value(), 0u);
  for (const Reservation& done : sleepers)
    RecordHeaderWord::commit(done.words, fxt::Event::make(fxt::EventType::kInstant, 2, 0,
                                                          fxt::ThreadRef::index(1), {}, {}));
  const uint64_t lost = rings[0].records_lost.value();
  write_numbers(1000, 1100);
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.lost_records, lost) << "goes on as soon as there is room";
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(numbers(archive).back(), 1099u);
  EXPECT_EQ(reported_lost(archive), report.lost_records + report.overwritten_records);
}

TEST_F(CircularTest, TheCountIsExactWhereAWriterWasStoppedWhileItOverwrote) {
  record(4);
  write_numbers(0, 2000);
  const barefxt_stop_report report = barefxt_stop();
  const uint64_t all = report.recorded_records + report.overwritten_records;
  ASSERT_EQ(all, 2000u);
  const auto accounted = [&] {
    const PlainArchive archive = stop_and_read();
    return numbers(archive).size() + reported_lost(archive);
  };
  // A writer looks at a full segment, and is interrupted.
  SegmentHeader* oldest = nullptr;
  for (uint32_t slot = 0; slot < 4; ++slot) {
    SegmentHeader& segment = rings[0].segment(slot);
    if (oldest == nullptr || segment.sequence < oldest->sequence) oldest = &segment;
  }
  oldest->state.store_release(static_cast<uint32_t>(SegmentState::kLeaving));
  EXPECT_EQ(accounted(), all);
  // It has counted, and taken it.
  const SegmentContent content = look_through(*oldest);
  oldest->overwritten_with_content.records = oldest->overwritten.records + content.finished.records;
  oldest->overwritten_with_content.bytes = oldest->overwritten.bytes + content.finished.bytes;
  oldest->state.store_release(static_cast<uint32_t>(SegmentState::kClaimed));
  EXPECT_EQ(accounted(), all);
}

TEST_F(CircularTest, DumpingTwiceSaysTheSameTwice) {
  record(4);
  write_numbers(0, 3000);
  barefxt_stop();
  EXPECT_EQ(rebuild(dump()).archive, rebuild(dump()).archive);
}

TEST_F(CircularTest, StartingAgainForgetsWhatWasOverwritten) {
  record(4);
  write_numbers(0, 3000);
  barefxt_stop();
  record(4);
  write_numbers(0, 10);
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.overwritten_records, 0u);
  EXPECT_EQ(report.recorded_records, 10u);
}

TEST_F(CircularTest, ThreadsOnOneRingTearNothingAndEveryRecordIsAccountedFor) {
  record(8);
  constexpr uint32_t kEach = 20000;
  write_from_threads(kEach);
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.unfinished_records, 0u);
  EXPECT_EQ(report.recorded_records + report.lost_records + report.overwritten_records,
            kWriters * kEach);
  const PlainArchive archive = stop_and_read();
  const auto events = archive.events("shared");
  EXPECT_EQ(events.size() + reported_lost(archive), kWriters * kEach);
  expect_intact(events);
}

}  // namespace
}  // namespace barefxt::test::circular_test
