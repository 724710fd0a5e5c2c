// The ring at every instruction: what is interrupted where, and by what, makes no difference to
// what is recorded. And what each step of its protocol is there for.
//
// With the runtime alone: the faults in host-tests/faults are each compiled into it, and must fail
// a test here.

#include <cstdio>
#include <gtest/gtest.h>
#include <unistd.h>
#include <vector>

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

#include "stepping.h"
#include "torture/checker.h"
#include "torture/frame_reader.h"

namespace barefxt::test {
namespace {

using torture::Checker;
using torture::FrameReader;
using torture::ToldByEnd;
using torture::Writer;

uint64_t now = 0;
uint64_t next_tick() { return __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED); }

constexpr uint32_t kPerSegment = (kSegmentBytes - kSegmentHeaderBytes) / torture::kLeastBytes;

Writer thread_writer;
Writer interrupt_writer;

void write_one() { torture::write(thread_writer); }
void write_as_interrupt(uint32_t records) {
  for (uint32_t i = 0; i < records; ++i) torture::write(interrupt_writer);
}

class RingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    barefxt_host_counter = next_tick;
    barefxt_host_cpu = 0;
    interrupt_writer.number = 1;
  }
  void TearDown() override { barefxt_stop(); }

  static void start(barefxt_mode mode, unsigned segments) {
    memory.assign(size_t{segments} * kSegmentBytes / sizeof(uint64_t), 0);
    config = {};
    config.memory = memory.data();
    config.bytes = memory.size() * sizeof(uint64_t);
    config.cpus = 1;
    config.mode = mode;
    config.categories = ~0u;
    config.partial_after_ticks = 1000;
    thread_writer.attempted = 0;
    interrupt_writer.attempted = 0;
    ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
  }
  static uint64_t attempted() {
    return uint64_t{thread_writer.attempted} + interrupt_writer.attempted;
  }

  static Ring& ring() { return rings[0]; }
  static SegmentHeader& open_segment() {
    return ring().open_segment(ring().position.load_acquire());
  }
  // As far as that one more record crosses into the next segment.
  static void fill_segment() {
    const uint32_t sequence = open_segment().sequence;
    while (true) {
      const PositionWord offset = ring().position.load_acquire() & Position::kSegmentMask;
      if (!Position::fits(offset + torture::kLeastBytes, torture::kLeastBytes)) return;
      Reservation reservation;
      ASSERT_TRUE(reserve_slowly(Owner::kCpu, torture::kLeastBytes, reservation));
      commit_filler(reservation);
      ++thread_writer.attempted;
      ASSERT_EQ(open_segment().sequence, sequence);
    }
  }
  // A record that is none of the torture's, but whole.
  static void commit_filler(const Reservation& reservation) {
    reservation.words[1] = reservation.ticks;
    for (uint32_t i = 2; i < reservation.bytes / fxt::kWordBytes; ++i) reservation.words[i] = 0;
    RecordHeaderWord::commit(
        reservation.words,
        fxt::Event::make(fxt::EventType::kInstant, reservation.bytes / fxt::kWordBytes, 0,
                         fxt::ThreadRef::index(1), fxt::StringRef::empty(),
                         fxt::StringRef::empty()));
  }

  static ToldByEnd dump(Checker& checker) {
    FrameReader reader(checker);
    const barefxt_writer writer = {&FrameReader::write, &reader};
    EXPECT_EQ(barefxt_dump(&writer, BAREFXT_DUMP_BINARY), BAREFXT_OK);
    EXPECT_STREQ(reader.problem(), nullptr);
    EXPECT_STREQ(checker.problem(), nullptr);
    EXPECT_EQ(reader.told().records, checker.records());
    return reader.told();
  }
  // Stops, and holds everything against what was attempted.
  static barefxt_stop_report stop_and_account() {
    const barefxt_stop_report report = barefxt_stop();
    Checker checker;
    const ToldByEnd told = dump(checker);
    EXPECT_EQ(told.records, report.recorded_records);
    EXPECT_EQ(told.lost, report.lost_records + report.overwritten_records);
    EXPECT_EQ(report.unfinished_records, 0u);
    EXPECT_EQ(told.records + told.lost, attempted());
    return report;
  }

  // Takes the drain's frames until there are none.
  static void drain(FrameReader& reader) {
    static uint8_t buffer[BAREFXT_DRAIN_BYTES];
    while (const size_t bytes = barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY))
      reader.take(buffer, bytes);
  }

  // Interrupts `code` before each of its instructions, in a copy of the process that then judges.
  static void at_every_instruction(void (*code)(), void (*interrupt_with)(), void (*judge)()) {
    if (!kCanStep) GTEST_SKIP() << "not on this machine";
    std::fflush(stdout);
    const Interrupted interrupted = interrupt_copies(code, interrupt_with);
    if (interrupted.is_copy) {
      judge();
      std::fflush(stdout);
      _exit(HasFailure() ? 1 : 0);
    }
    EXPECT_EQ(interrupted.failed_at, 0u) << "interrupted before this instruction";
    EXPECT_GT(interrupted.instructions, 20u);
  }

  static std::vector<uint64_t> memory;
  static barefxt_config config;
};
std::vector<uint64_t> RingTest::memory;
barefxt_config RingTest::config;

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
                         // A writer that prepares a segment takes it from nobody else.
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

TEST_F(RingTest, AStopInterruptedAnywhereByAWriterLosesNothing) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  write_one();
  at_every_instruction(
      [] { barefxt_stop(); },
      [] {
        // One that had passed the test of its category.
        Reservation reservation;
        if (!reserve_slowly(Owner::kCpu, torture::kLeastBytes, reservation)) return;
        commit_filler(reservation);
        ++thread_writer.attempted;
      },
      [] {
        Reservation reservation;
        EXPECT_FALSE(reserve_slowly(Owner::kCpu, torture::kLeastBytes, reservation));
        stop_and_account();
      });
}

TEST_F(RingTest, AWriterInterruptedAnywhereByAStopWritesNothingAfterIt) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  fill_segment();
  static barefxt_stop_report at_stop;
  at_every_instruction([] { write_one(); }, [] { at_stop = barefxt_stop(); },
                       [] {
                         const barefxt_stop_report report = barefxt_stop();
                         EXPECT_EQ(report.recorded_records,
                                   at_stop.recorded_records + at_stop.unfinished_records);
                         EXPECT_EQ(report.unfinished_records, 0u);
                         thread_writer.attempted = static_cast<uint32_t>(report.recorded_records);
                         stop_and_account();
                       });
}

TEST_F(RingTest, AWriterThatSleptOverAStopAndAStartHarmsNeitherSession) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  for (uint32_t i = 0; i < 5 * kPerSegment; ++i) write_one();
  fill_segment();
  at_every_instruction([] { write_one(); },
                       [] {
                         barefxt_stop();
                         EXPECT_EQ(barefxt_start(&config), BAREFXT_OK);
                         interrupt_writer.attempted = 0;
                         write_as_interrupt(2 * kPerSegment);
                       },
                       [] {
                         write_as_interrupt(2 * kPerSegment);
                         const barefxt_stop_report report = barefxt_stop();
                         Checker checker;
                         const ToldByEnd told = dump(checker);
                         EXPECT_EQ(told.records, report.recorded_records);
                         // The sleeper's is of one session or the other.
                         EXPECT_GE(told.records + told.lost, interrupt_writer.attempted);
                         EXPECT_LE(told.records + told.lost, interrupt_writer.attempted + 1);
                       });
}

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
        EXPECT_EQ(reader.told().lost, report.lost_records);
        EXPECT_EQ(checker.records() + report.lost_records, attempted());
        EXPECT_TRUE(checker.no_segment_is_missing());
      });
}

TEST_F(RingTest, ARingIsNotOpenedAgainOnceItIsStopped) {
  start(BAREFXT_MODE_STREAMING, 3);
  for (uint32_t i = 0; i < 4 * kPerSegment; ++i) write_one();
  SegmentHeader& first = ring().segment(0);
  clear_records(first);
  first.state.store_release(static_cast<uint32_t>(SegmentState::kFree));
  at_every_instruction(
      [] { reopen(ring()); }, [] { barefxt_stop(); },
      [] {
        Reservation reservation;
        EXPECT_FALSE(reserve_slowly(Owner::kCpu, torture::kLeastBytes, reservation));
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
                         // What looks like the header of a record of three words.
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

TEST_F(RingTest, AStartLeavesASegmentToTheWriterThatPreparesIt) {
  for (const SegmentState owned : {SegmentState::kClaimed, SegmentState::kLeaving}) {
    start(BAREFXT_MODE_CIRCULAR, 3);
    barefxt_stop();
    ring().segment(1).state.store_release(static_cast<uint32_t>(owned));
    ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
    write_as_interrupt(3 * kPerSegment);
    EXPECT_EQ(state_of(ring().segment(1)), owned);
    barefxt_stop();
    ring().segment(1).state.store_release(static_cast<uint32_t>(SegmentState::kFree));
  }
}

TEST_F(RingTest, ASegmentThatIsGivenBackWhileTheNextSessionStartsCanBeUsed) {
  start(BAREFXT_MODE_ONE_SHOT, 2);
  barefxt_stop();
  // A writer has prepared it, and finds the ring stopped.
  ring().segment(1).state.store_release(static_cast<uint32_t>(SegmentState::kLive));
  at_every_instruction(
      [] { barefxt_start(&config); },
      [] { ring().segment(1).state.store_release(static_cast<uint32_t>(SegmentState::kFree)); },
      [] { EXPECT_EQ(state_of(ring().segment(1)), SegmentState::kFree); });
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
  // As a writer leaves it that was interrupted while it looked whether all is finished.
  SegmentHeader* oldest = &ring().segment(0);
  for (uint32_t slot = 1; slot < 5; ++slot)
    if (ring().segment(slot).sequence < oldest->sequence) oldest = &ring().segment(slot);
  ASSERT_EQ(state_of(*oldest), SegmentState::kLive);
  oldest->state.store_release(static_cast<uint32_t>(SegmentState::kLeaving));
  ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
  barefxt_snapshot_release();
  // Had anybody else taken it, the sleeper would take it for its own.
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

TEST_F(RingTest, ATriggerLetsExactlySoManySegmentsMore) {
  start(BAREFXT_MODE_CIRCULAR, 8);
  write_as_interrupt(10 * kPerSegment);
  const uint32_t open = open_segment().sequence;
  barefxt_trigger(3);
  for (uint32_t i = 0; i < 20 * kPerSegment && barefxt_running(); ++i) write_as_interrupt(1);
  uint32_t last = 0;
  for (uint32_t slot = 0; slot < 8; ++slot)
    if (ring().segment(slot).sequence > last) last = ring().segment(slot).sequence;
  EXPECT_EQ(last, open + 3);
}

TEST_F(RingTest, ATriggersEndInterruptedAnywhereByAStopAndAStartEndsNoOtherSession) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  write_as_interrupt(10 * kPerSegment);
  barefxt_trigger(1);
  fill_segment();
  write_as_interrupt(1);
  fill_segment();
  ASSERT_TRUE(barefxt_running());
  static bool started;
  at_every_instruction([] { write_one(); },
                       [] {
                         barefxt_stop();
                         const barefxt_error error = barefxt_start(&config);
                         started = error == BAREFXT_OK;
                         // Below the caller a stop is in progress.
                         EXPECT_TRUE(started || error == BAREFXT_ERROR_RUNNING);
                         barefxt_trigger(2);
                       },
                       [] {
                         EXPECT_EQ(barefxt_running(), started);
                         barefxt_stop();
                         EXPECT_EQ(barefxt_start(&config), BAREFXT_OK);
                       });
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
}  // namespace barefxt::test
