// The fate of a ring's segments: overwritten, held, drained and used again. Each record in them is
// sent or counted.
//
// With the runtime alone: the faults in host-tests/faults are each compiled into it, and must fail
// a test here.

#include <optional>

#include "ring_stepping.h"

namespace barefxt::test::ring_segments_test {
namespace {

TEST_F(RingTest, ACrossingInterruptedAnywhereByASnapshotIsInItOrCounted) {
  start(BAREFXT_MODE_CIRCULAR, 5);
  for (uint32_t i = 0; i < 5 * kPerSegment; ++i) write_one();
  fill_segment();
  at_every_instruction(
      [] { write_one(); },
      [] {
        EXPECT_EQ(barefxt_snapshot(), BAREFXT_OK);
        write_as_interrupt(2 * kPerSegment);
        Checker checker;
        dump(checker);
        EXPECT_GT(checker.records(), 0u);
        write_as_interrupt(2 * kPerSegment);
      },
      [] {
        write_as_interrupt(2 * kPerSegment);
        for (uint32_t slot = 0; slot < 5; ++slot) {
          const SegmentState state = state_of(ring().segment(slot));
          EXPECT_TRUE(state == SegmentState::kLive || state == SegmentState::kFree);
        }
        stop_and_account();
      });
}

TEST_F(RingTest, ADrainInterruptedAnywhereByWritersThatFillTheRingLosesNothingInSilence) {
  static Checker checker;
  static FrameReader reader(checker);
  static uint8_t buffer[BAREFXT_DRAIN_BYTES];
  start(BAREFXT_MODE_STREAMING, 3);
  drain(reader);
  for (uint32_t i = 0; i < 4 * kPerSegment; ++i) write_one();
  // All of the first segment but that it is given back.
  reader.take(buffer, barefxt_drain(buffer, kSegmentBytes + 300, BAREFXT_DUMP_BINARY));
  at_every_instruction(
      // Too little for a frame: it is given back, the ring opened again, and the next one held.
      [] { reader.take(buffer, barefxt_drain(buffer, 100, BAREFXT_DUMP_BINARY)); },
      [] { write_as_interrupt(3); },
      [] {
        write_as_interrupt(2 * kPerSegment);
        drain(reader);
        write_as_interrupt(2 * kPerSegment);
        const barefxt_stop_report report = barefxt_stop();
        while (!barefxt_drain_is_over()) {
          drain(reader);
          now += 100000;
        }
        EXPECT_STREQ(reader.problem(), nullptr);
        EXPECT_STREQ(checker.problem(), nullptr);
        EXPECT_EQ(checker.records(), report.recorded_records);
        EXPECT_EQ(reader.totals().lost, report.lost_records);
        EXPECT_EQ(checker.records() + report.lost_records, attempted());
        EXPECT_TRUE(checker.no_segment_is_missing());
      });
}

// A drain of a session that is stopped in the middle of something.
class DrainedToTheEndTest : public RingTest {
 protected:
  // So that there are records in the open segment, and none that the drain takes before the stop.
  static void record() {
    start(BAREFXT_MODE_STREAMING, 4);
    checker = Checker();
    reader.emplace(checker);
    drain(*reader);
    write_as_interrupt(5);
  }
  static void expect_all_drained() {
    const barefxt_stop_report report = barefxt_stop();
    while (!barefxt_drain_is_over()) {
      drain(*reader);
      now += 100;
    }
    EXPECT_STREQ(reader->problem(), nullptr);
    EXPECT_STREQ(checker.problem(), nullptr);
    EXPECT_EQ(checker.records(), report.recorded_records);
    EXPECT_EQ(report.lost_records + reader->totals().lost, 0u);
    EXPECT_EQ(checker.records(), attempted());
    EXPECT_TRUE(checker.no_segment_is_missing());
  }

  inline static Checker checker;
  inline static std::optional<FrameReader> reader;
};

TEST_F(DrainedToTheEndTest, AStopAnywhereInADrainLeavesNothingBehind) {
  record();
  at_every_instruction([] { drain(*reader); },
                       [] {
                         write_as_interrupt(3);
                         barefxt_stop();
                       },
                       [] { expect_all_drained(); });
}

TEST_F(DrainedToTheEndTest, AStopInterruptedAnywhereByADrainLeavesNothingBehind) {
  record();
  at_every_instruction([] { barefxt_stop(); },
                       [] {
                         barefxt_stop();
                         drain(*reader);
                       },
                       [] { expect_all_drained(); });
}

TEST_F(RingTest, ASegmentWithAnUnfinishedRecordIsNotOverwritten) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  Reservation sleeper;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 64, sleeper));
  write_as_interrupt(20 * kPerSegment);
  EXPECT_EQ(ring().segment(0).sequence, 0u);
  EXPECT_TRUE(fxt::RingRecord::is(*sleeper.words, fxt::RingRecordType::kUnfinished));
  commit_filler(sleeper);
  ++thread_writer.attempted;
  write_as_interrupt(20 * kPerSegment);
  EXPECT_GT(ring().segment(0).sequence, 0u) << "as soon as it is finished";
  EXPECT_EQ(stop_and_account().lost_records, 0u);
}

TEST_F(RingTest, AFullRingCountsEachRecordOnceAndItsBytes) {
  start(BAREFXT_MODE_ONE_SHOT, 2);
  for (uint32_t i = 0; i < 2; ++i) fill_segment(), write_one();
  const uint64_t lost = ring().records_lost.value();
  const uint64_t bytes = ring().bytes_lost.value();
  Reservation reservation;
  EXPECT_FALSE(reserve_slowly(Owner::kCpu, 64, reservation));
  EXPECT_FALSE((try_reserve<Owner::kCpu, 64>(reservation)));
  EXPECT_EQ(ring().records_lost.value(), lost + 1);
  EXPECT_EQ(ring().bytes_lost.value(), bytes + 64);
}

TEST_F(RingTest, ASegmentThatIsUsedAgainIsEmpty) {
  start(BAREFXT_MODE_STREAMING, 3);
  Checker checker;
  FrameReader frames(checker);
  for (uint32_t i = 0; i < 10; ++i) {
    write_as_interrupt(kPerSegment);
    drain(frames);
  }
  // The first in a segment, so that all behind it is as it was given.
  fill_segment();
  Reservation bare;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 64, bare));
  const SegmentContent content = look_through(open_segment());
  EXPECT_EQ(content.finished.records, 0u);
  EXPECT_EQ(content.unfinished.records, 1u);
}

// Each other segment has an unfinished record, so that none can be opened.
TEST_F(RingTest, ASnapshotHoldsTheOpenSegmentThatItCannotClose) {
  start(BAREFXT_MODE_CIRCULAR, 5);
  for (int i = 0; i < 4; ++i) {
    Reservation sleeper;
    ASSERT_TRUE(reserve_slowly(Owner::kCpu, torture::kMinBytes, sleeper));
    fill_segment();
    if (i == 3) continue;
    const SegmentHeader* const open = &open_segment();
    while (&open_segment() == open) write_one();
  }
  // The last one has nothing unfinished.
  const SegmentHeader* const open = &open_segment();
  while (&open_segment() == open) write_one();
  for (int i = 0; i < 3; ++i) write_one();
  ASSERT_FALSE(close_open_segment(ring()));
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  EXPECT_TRUE(is_held(state_of(open_segment())));
  Checker checker;
  const EndTotals dumped = dump(checker);
  EXPECT_EQ(dumped.records + dumped.lost, thread_writer.attempted);
  EXPECT_EQ(state_of(open_segment()), SegmentState::kLive);
}

TEST_F(RingTest, WhatASnapshotHoldsIsNotOverwritten) {
  start(BAREFXT_MODE_CIRCULAR, 6);
  write_as_interrupt(20 * kPerSegment);
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  uint32_t held = 0;
  uint32_t sequences[6];
  for (uint32_t slot = 0; slot < 6; ++slot) {
    held += state_of(ring().segment(slot)) == SegmentState::kHeld ? 1 : 0;
    sequences[slot] = ring().segment(slot).sequence;
  }
  EXPECT_EQ(held, 3u);
  write_as_interrupt(20 * kPerSegment);
  uint32_t kept = 0;
  for (uint32_t slot = 0; slot < 6; ++slot)
    kept += ring().segment(slot).sequence == sequences[slot] ? 1 : 0;
  EXPECT_EQ(kept, 3u);
  barefxt_snapshot_release();
  write_as_interrupt(20 * kPerSegment);
  for (uint32_t slot = 0; slot < 6; ++slot)
    EXPECT_NE(ring().segment(slot).sequence, sequences[slot]) << "used again once it is released";
}

TEST_F(RingTest, AWriterThatLooksAtASegmentWhileASnapshotBorrowsItStaysItsOnlyOwner) {
  start(BAREFXT_MODE_CIRCULAR, 5);
  write_as_interrupt(20 * kPerSegment);
  // The state that a writer leaves if it is interrupted while it checks that all is finished.
  SegmentHeader* oldest = &ring().segment(0);
  for (uint32_t slot = 1; slot < 5; ++slot)
    if (ring().segment(slot).sequence < oldest->sequence) oldest = &ring().segment(slot);
  ASSERT_EQ(state_of(*oldest), SegmentState::kLive);
  oldest->state.store_release(static_cast<uint32_t>(SegmentState::kLeaving));
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  barefxt_snapshot_release();
  // If another writer had taken it, the sleeper would mistake it for its own.
  const uint32_t sequence = oldest->sequence;
  write_as_interrupt(20 * kPerSegment);
  EXPECT_EQ(state_of(*oldest), SegmentState::kLeaving);
  EXPECT_EQ(oldest->sequence, sequence);
}

TEST_F(RingTest, TheDrainLeavesASegmentWithAnUnfinishedRecordToItsWriter) {
  start(BAREFXT_MODE_STREAMING, 4);
  Checker checker;
  FrameReader frames(checker);
  Reservation sleeper;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 64, sleeper));
  for (uint32_t i = 0; i < 10; ++i) {
    write_as_interrupt(kPerSegment);
    drain(frames);
  }
  EXPECT_EQ(state_of(ring().segment(0)), SegmentState::kLive);
  EXPECT_TRUE(fxt::RingRecord::is(*sleeper.words, fxt::RingRecordType::kUnfinished));
  commit_filler(sleeper);
  drain(frames);
  EXPECT_EQ(state_of(ring().segment(0)), SegmentState::kFree);
  EXPECT_STREQ(checker.problem(), nullptr);
}

}  // namespace
}  // namespace barefxt::test::ring_segments_test
