// The ring at every instruction: what is interrupted where, and by what, makes no difference to
// what is recorded. And what each step of a reservation is there for.
//
// With the runtime alone: the faults in host-tests/faults are each compiled into it, and must fail
// a test here.

#include "ring_stepping.h"

namespace barefxt::test::ring_test {
namespace {

TEST_F(RingTest, AWriterInterruptedAnywhereByAWriterLosesNothingAndKeepsTheOrder) {
  start(BAREFXT_MODE_ONE_SHOT, 6);
  at_every_instruction([] { write_one(); }, [] { write_as_interrupt(2); },
                       [] {
                         write_one();
                         EXPECT_EQ(stop_and_account().lost_records, 0u);
                       });
}

// Those with these numbers take the careful way, or have text.
TEST_F(RingTest, TheCarefulWaysOfReservingAreAsSafe) {
  for (const uint32_t number : {3u, 7u}) {
    start(BAREFXT_MODE_ONE_SHOT, 8);
    for (uint32_t i = 0; i < number; ++i) write_one();
    at_every_instruction([] { write_one(); }, [] { write_as_interrupt(5); },
                         [] { EXPECT_EQ(stop_and_account().lost_records, 0u); });
    barefxt_stop();
  }
}

TEST_F(RingTest, ACrossingInterruptedAnywhereByCrossingsOverwritesAndCountsExactly) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  for (uint32_t i = 0; i < 5 * kPerSegment; ++i) write_one();
  fill_segment();
  at_every_instruction([] { write_one(); }, [] { write_as_interrupt(2 * kPerSegment); },
                       [] {
                         write_as_interrupt(10 * kPerSegment);
                         // A writer that prepares a segment takes it from no other.
                         EXPECT_EQ(stop_and_account().lost_records, 0u);
                       });
}

TEST_F(RingTest, ACrossingIntoFreeSegmentsInterruptedAnywhereTearsNothing) {
  start(BAREFXT_MODE_ONE_SHOT, 6);
  fill_segment();
  at_every_instruction([] { write_one(); }, [] { write_as_interrupt(2 * kPerSegment); },
                       [] {
                         write_one();
                         EXPECT_EQ(stop_and_account().lost_records, 0u);
                       });
}

TEST_F(RingTest, TheLastFreeSegmentIsUsedWhoeverInterruptsItsWriter) {
  start(BAREFXT_MODE_ONE_SHOT, 2);
  fill_segment();
  at_every_instruction([] { write_one(); }, [] { write_as_interrupt(1); },
                       [] {
                         write_as_interrupt(2);
                         // An interrupt found no room while the segment was being prepared.
                         EXPECT_LE(stop_and_account().lost_records, 1u);
                       });
}

// Walks the ring between any two instructions of a writer, as a debugger would after a crash there.
bool all_that_is_finished_is_whole(uint32_t) {
  Checker checker;
  for (uint32_t slot = 0; slot < rings[0].segments; ++slot) {
    const SegmentHeader& segment = rings[0].segment(slot);
    if (!holds_records(state_of(segment))) continue;
    checker.segment(0, segment.sequence);
    SegmentWalker walker(segment);
    SegmentWalker::Record record;
    while (walker.next(record))
      if (record.finished) checker.record(record.words, record.bytes / fxt::kWordBytes);
  }
  EXPECT_STREQ(checker.problem(), nullptr);
  return !::testing::Test::HasFailure();
}

TEST_F(RingTest, AtEveryInstructionWhatIsFinishedIsWhole) {
  if (!kCanStep) GTEST_SKIP() << "not on this machine";
  start(BAREFXT_MODE_ONE_SHOT, 4);
  // Crosses, too.
  for (uint32_t i = 0; i < 2 * kPerSegment && !HasFailure(); ++i)
    EXPECT_GT(step([] { write_one(); }, &all_that_is_finished_is_whole), 20u);
  stop_and_account();
}

TEST_F(RingTest, AReservationIsAPlaceholderOfItsSize) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  Reservation quick;
  ASSERT_TRUE((try_reserve<Owner::kCpu, 40>(quick)));
  Reservation careful;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 64, careful));
  write_one();
  SegmentWalker walker(open_segment());
  SegmentWalker::Record record;
  for (const uint32_t bytes : {40u, 64u}) {
    ASSERT_TRUE(walker.next(record));
    EXPECT_FALSE(record.finished);
    EXPECT_EQ(record.bytes, bytes);
  }
  ASSERT_TRUE(walker.next(record));
  EXPECT_TRUE(record.finished);
  EXPECT_EQ(barefxt_unfinished(), 2u);
}

TEST_F(RingTest, WhatFollowsABareReservationIsFound) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  Reservation bare;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 64, bare));
  *bare.words = 0;  // as between the swap and the first store
  write_one();
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records, 1u);
  EXPECT_EQ(report.unfinished_records, 1u);
}

TEST_F(RingTest, BareReservationsWithARecordBetweenThemAreTwo) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  for (unsigned i = 0; i < 2; ++i) {
    Reservation bare;
    ASSERT_TRUE(reserve_slowly(Owner::kCpu, 64, bare));
    *bare.words = 0;
    write_one();
  }
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records, 2u);
  EXPECT_EQ(report.unfinished_records, 2u);
}

TEST_F(RingTest, AWalkThatAWriterOvertakesTakesNoPayloadForAHeader) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  write_one();
  Reservation bare;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 48, bare));
  *bare.words = 0;
  static Reservation sleeper;
  static uint64_t finished;
  sleeper = bare;
  at_every_instruction([] { finished = look_through(rings[0].segment(0)).finished.records; },
                       [] {
                         // These look like the header of a record of three words.
                         for (uint32_t i = 2; i < 6; ++i) sleeper.words[i] = 0x34;
                         sleeper.words[1] = 0x34;
                         RecordHeaderWord::commit(sleeper.words, 0x64);
                       },
                       [] { EXPECT_LE(finished, 2u); });
}

TEST_F(RingTest, AWalkThatIsOvertakenBehindABareReservationTakesNoPayloadForAHeaderEither) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  write_one();
  Reservation bare;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 48, bare));
  *bare.words = 0;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 48, bare));
  *bare.words = 0;
  static Reservation sleeper;
  static uint64_t finished;
  sleeper = bare;
  at_every_instruction([] { finished = look_through(rings[0].segment(0)).finished.records; },
                       [] {
                         for (uint32_t i = 1; i < 6; ++i) sleeper.words[i] = 0x34;
                         RecordHeaderWord::commit(sleeper.words, 0x64);
                       },
                       [] { EXPECT_LE(finished, 2u); });
}

// The view of a CPU whose stores are seen in another order: the payload first, and the header a
// little later.
TEST_F(RingTest, AWalkTakesNoPayloadForAHeaderWhosePlaceholderIsSeenLate) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  write_one();
  Reservation late;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, 48, late));
  *late.words = 0;
  for (uint32_t i = 1; i < 6; ++i) late.words[i] = 0x34;
  static Reservation writer;
  static uint64_t finished;
  static uint32_t instructions;
  writer = late;
  instructions = 0;
  at_every_instruction([] { finished = look_through(rings[0].segment(0)).finished.records; },
                       [] { RecordHeaderWord::commit(writer.words, 0x64); },
                       [] { EXPECT_EQ(finished, 2u); }, [] { return ++instructions < 200; });
}

TEST_F(RingTest, AHeadersChecksumCoversAllThatStays) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  write_one();
  SegmentHeader& segment = open_segment();
  const uint32_t checksum = header_checksum(segment);
  EXPECT_EQ(segment.checksum, checksum);
  const auto changes = [&](auto& field) {
    const auto before = static_cast<uint32_t>(field);
    field = before + 1;
    EXPECT_NE(header_checksum(segment), checksum);
    field = before;
  };
  const uint32_t capture = segment.capture.load_relaxed();
  segment.capture.store_relaxed(capture + 1);
  EXPECT_NE(header_checksum(segment), checksum);
  segment.capture.store_relaxed(capture);
  changes(segment.sequence);
  changes(segment.records_lost);
  changes(segment.bytes_lost);
  changes(segment.cpu);
}

}  // namespace
}  // namespace barefxt::test::ring_test
