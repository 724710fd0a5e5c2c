// Stops, starts and triggers at every instruction, of the ring's writers and of their own: a
// session ends once, at the time that it reports, and harms no other.
//
// With the runtime alone: the faults in host-tests/faults are each compiled into it, and must fail
// a test here.

#include <algorithm>
#include <sys/mman.h>

#include "open_records.h"
#include "ring_stepping.h"
#include "session.h"

namespace barefxt::test::ring_session_test {
namespace {

// Memory of `bytes` bytes, behind which no byte can be touched.
uint8_t* ahead_of_a_guard(size_t bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  EXPECT_GE(page, bytes);
  void* const pages =
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_NE(pages, MAP_FAILED);
  auto* const guard = static_cast<uint8_t*>(pages) + page;
  EXPECT_EQ(mprotect(guard, page, PROT_NONE), 0);
  return guard - bytes;
}

TEST_F(RingTest, AStopInterruptedAnywhereByAWriterLosesNothing) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  write_one();
  at_every_instruction([] { barefxt_stop(); },
                       [] {
                         // One that had passed the test of its category.
                         Reservation reservation;
                         if (!reserve_slowly(Owner::kCpu, torture::kMinBytes, reservation)) return;
                         commit_filler(reservation);
                         ++thread_writer.attempted;
                       },
                       [] {
                         Reservation reservation;
                         EXPECT_FALSE(reserve_slowly(Owner::kCpu, torture::kMinBytes, reservation));
                         stop_and_account();
                       });
}

TEST_F(RingTest, AStopInterruptedAnywhereByAStopIsOneStop) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  write_one();
  static uint64_t last_record;
  last_record = now;
  static bool was_over;
  static uint64_t first;
  at_every_instruction([] { barefxt_stop(); },
                       [] {
                         EXPECT_EQ(stop_and_account().recorded_records, 1u);
                         EXPECT_FALSE(barefxt_running());
                         was_over = session.phase.load_acquire() == SessionPhase::kOver;
                         first = stop_reported();
                         EXPECT_GT(first, last_record);
                         EXPECT_LE(first, now);
                       },
                       [] {
                         EXPECT_EQ(stop_and_account().recorded_records, 1u);
                         const uint64_t dumped = stop_reported();
                         EXPECT_GT(dumped, last_record);
                         EXPECT_LE(dumped, now);
                         // The interrupted one may have been about to store its time.
                         if (was_over) {
                           EXPECT_EQ(dumped, first);
                         }
                         now += 1000;
                         EXPECT_EQ(stop_reported(), dumped);
                         EXPECT_EQ(barefxt_start(&config), BAREFXT_OK);
                         EXPECT_TRUE(barefxt_running());
                         barefxt_stop();
                         EXPECT_GT(stop_reported(), dumped + 1000);
                       });
}

TEST_F(RingTest, AStopInterruptedAnywhereByWhoEnablesCategoriesLeavesThemOff) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  at_every_instruction([] { barefxt_stop(); }, [] { barefxt_set_categories(~0u); },
                       [] { EXPECT_EQ(barefxt_enabled_categories, 0u); });
}

TEST_F(RingTest, WhoEnablesCategoriesInterruptedAnywhereByAStopLeavesThemOff) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  at_every_instruction([] { barefxt_set_categories(2); }, [] { barefxt_stop(); },
                       [] { EXPECT_EQ(barefxt_enabled_categories, 0u); });
}

// In less memory than the session before had: code that looks at both reads behind its end, which
// ends the process.
TEST_F(RingTest, AStartInterruptedAnywhereByAStopIsASessionOrNone) {
  start(BAREFXT_MODE_CIRCULAR, 40);
  write_as_interrupt(60 * kPerSegment);
  barefxt_stop();
  config.bytes = 3 * kSegmentBytes;
  config.memory = ahead_of_a_guard(config.bytes);
  at_every_instruction(
      [] { EXPECT_EQ(barefxt_start(&config), BAREFXT_OK); },
      [] {
        EXPECT_EQ(barefxt_unfinished(), 0u);
        barefxt_crash();
        // The report is of the earlier session, of the one that starts, or empty.
        const barefxt_stop_report report = barefxt_stop();
        EXPECT_TRUE(report.recorded_records == 0 ||
                    report.recorded_records + report.overwritten_records == 60 * kPerSegment);
      },
      [] {
        EXPECT_EQ(barefxt_enabled_categories, barefxt_running() ? ~0u : 0u);
        barefxt_stop();
        EXPECT_EQ(barefxt_start(&config), BAREFXT_OK);
        thread_writer.attempted = interrupt_writer.attempted = 0;
        write_one();
        EXPECT_EQ(stop_and_account().recorded_records, 1u);
      });
}

TEST_F(RingTest, ARewindInterruptedAnywhereByAStopRecordsAllCategoriesOrIsStopped) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  barefxt_set_categories(6);
  at_every_instruction([] { EXPECT_EQ(barefxt_rewind(), BAREFXT_OK); }, [] { barefxt_stop(); },
                       [] { EXPECT_EQ(barefxt_enabled_categories, barefxt_running() ? 6u : 0u); });
}

TEST_F(RingTest, ATriggerInterruptedAnywhereByAStopAndAStartArmsNoOtherSession) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  write_as_interrupt(10 * kPerSegment);
  static bool started;
  at_every_instruction([] { barefxt_trigger(1); },
                       [] {
                         barefxt_stop();
                         const barefxt_error error = barefxt_start(&config);
                         started = error == BAREFXT_OK;
                         // Below the caller somebody is at work on the session before.
                         EXPECT_TRUE(started || error == BAREFXT_ERROR_RUNNING);
                       },
                       [] {
                         EXPECT_EQ(barefxt_running(), started);
                         // If at all, one segment behind the first of the session that runs now.
                         EXPECT_LE(ring().stop_at.load_relaxed(), started ? 2u : 12u);
                       });
}

// Once no writer is at work on a session that is over, its memory is the caller's.
TEST_F(RingTest, AWriterThatSleptOverAStopAndAStartInOtherMemoryStoresNothingInEither) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  write_as_interrupt(10 * kPerSegment);
  while (&open_segment() != &ring().segment(3)) write_as_interrupt(1);
  fill_segment();
  // The other memory has one segment less.
  static barefxt_config elsewhere;
  elsewhere = config;
  elsewhere.bytes = 3 * kSegmentBytes;
  elsewhere.memory = ahead_of_a_guard(elsewhere.bytes);
  static bool started;
  at_every_instruction([] { write_one(); },
                       [] {
                         barefxt_stop();
                         const bool crosses = crossers_of(ring()) != 0;
                         started = barefxt_unfinished() == 0;
                         EXPECT_FALSE(crosses && started);
                         if (started || crosses) {
                           EXPECT_EQ(barefxt_start(&elsewhere),
                                     started ? BAREFXT_OK : BAREFXT_ERROR_RUNNING);
                         }
                         if (started) std::fill(memory.begin(), memory.end(), 0x5555555555555555);
                       },
                       [] {
                         if (started) {
                           for (const uint64_t word : memory) ASSERT_EQ(word, 0x5555555555555555u);
                         } else {
                           EXPECT_EQ(barefxt_unfinished(), 0u);
                           EXPECT_EQ(barefxt_start(&elsewhere), BAREFXT_OK);
                         }
                         // The sleeper's may be in it: it came to its swap only now.
                         barefxt_stop();
                         Checker checker;
                         EXPECT_LE(dump(checker).records, 1u);
                         EXPECT_EQ(barefxt_unfinished(), 0u);
                       });
}

// A crash interrupts a stop like this.
TEST_F(RingTest, AStopThatNeverSaysWhenItWasDoesNotHoldUpTheDrain) {
  start(BAREFXT_MODE_STREAMING, 4);
  write_one();
  Reservation unfinished;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, torture::kMinBytes, unfinished));
  barefxt_stop();
  session.phase.store_release(SessionPhase::kStopping);
  Checker checker;
  FrameReader reader(checker);
  for (int call = 0; call < 100 && !barefxt_drain_is_over(); ++call) {
    drain(reader);
    now += 100;
  }
  EXPECT_TRUE(barefxt_drain_is_over());
  EXPECT_EQ(reader.totals().records, 1u);
  EXPECT_EQ(reader.totals().unfinished, 1u);
  session.phase.store_release(SessionPhase::kOver);
}

// Any calls may lie between the reservation and the start: as long as the writer has not committed,
// the memory is not the caller's.
TEST_F(RingTest, AWriterThatSleepsInItsRecordKeepsItsMemoryThroughAnySession) {
  static std::vector<uint64_t> other(4 * kSegmentBytes / sizeof(uint64_t));
  void (*const between[])() = {
      [] {},
      [] { EXPECT_EQ(barefxt_rewind(), BAREFXT_OK); },
      [] {
        barefxt_stop();
        EXPECT_EQ(barefxt_start(&config), BAREFXT_OK);
      },
      [] {
        for (int i = 0; i < 3; ++i) {
          EXPECT_EQ(barefxt_rewind(), BAREFXT_OK);
          write_as_interrupt(20 * kPerSegment);
        }
      },
  };
  for (const barefxt_mode mode :
       {BAREFXT_MODE_ONE_SHOT, BAREFXT_MODE_CIRCULAR, BAREFXT_MODE_STREAMING})
    for (auto* const sleep : between) {
      start(mode, 4);
      write_one();
      Reservation sleeper;
      ASSERT_TRUE(reserve_slowly(Owner::kCpu, torture::kMinBytes, sleeper));
      sleep();
      barefxt_stop();
      EXPECT_EQ(barefxt_unfinished(), 1u);
      barefxt_config elsewhere = config;
      elsewhere.memory = other.data();
      EXPECT_EQ(barefxt_start(&elsewhere), BAREFXT_ERROR_RUNNING);
      commit_filler(sleeper);
      EXPECT_EQ(barefxt_unfinished(), 0u);
      // From here on the memory may be gone: the runtime does not read it.
      std::fill(memory.begin(), memory.end(), ~uint64_t{0});
      ASSERT_EQ(barefxt_start(&elsewhere), BAREFXT_OK);
      barefxt_stop();
    }
}

TEST_F(RingTest, TheMemoryOfWritersThatAreGoneIsTakenBack) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  for (int i = 0; i < 3; ++i) {
    Reservation dead;
    ASSERT_TRUE(reserve_slowly(Owner::kCpu, torture::kMinBytes, dead));
    write_as_interrupt(kPerSegment);
  }
  EXPECT_EQ(barefxt_forget_unfinished(), BAREFXT_ERROR_RUNNING);
  EXPECT_GT(barefxt_stop().unfinished_records, 0u);
  EXPECT_GT(barefxt_unfinished(), 0u);
  // One that was deleted while it crossed, and another that asked whether the session runs.
  change_visibly(ring().crossers, 1);
  change_visibly(session.guards, 1);
  EXPECT_EQ(barefxt_start(&config), BAREFXT_ERROR_RUNNING);
  ASSERT_EQ(barefxt_forget_unfinished(), BAREFXT_OK);
  EXPECT_EQ(barefxt_unfinished(), 0u);
  ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
  thread_writer.attempted = interrupt_writer.attempted = 0;
  write_as_interrupt(20 * kPerSegment);
  EXPECT_EQ(stop_and_account().lost_records, 0u);
  for (uint32_t slot = 0; slot < ring().segments; ++slot)
    EXPECT_EQ(state_of(ring().segment(slot)), SegmentState::kLive);
}

// The drain has sent the segment without its record.
TEST_F(RingTest, AWriterThatTheDrainDidNotWaitForKeepsItsMemory) {
  start(BAREFXT_MODE_STREAMING, 4);
  Reservation sleeper;
  ASSERT_TRUE(reserve_slowly(Owner::kCpu, torture::kMinBytes, sleeper));
  write_one();
  barefxt_stop();
  Checker checker;
  FrameReader reader(checker);
  for (int call = 0; call < 100 && !barefxt_drain_is_over(); ++call) {
    drain(reader);
    now += 100;
  }
  ASSERT_TRUE(barefxt_drain_is_over());
  EXPECT_EQ(reader.totals().unfinished, 1u);
  EXPECT_EQ(barefxt_unfinished(), 1u);
  commit_filler(sleeper);
  EXPECT_EQ(barefxt_unfinished(), 0u);
}

// A stop below this one has closed the ring, and is about to store where its records end.
TEST_F(RingTest, AReservationBehindAnEndThatIsNotStoredYetIsUnfinished) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  static bool closed;
  at_every_instruction(
      [] {
        // The same as a writer between its swap and its placeholder.
        const PositionWord position = ring().position.load_relaxed();
        ring().position.store_relaxed(position + torture::kMinBytes);
        barefxt_stop();
      },
      [] {
        closed = Position::is_stopped(ring().position.load_relaxed());
        if (!closed) return;
        barefxt_stop();
        EXPECT_NE(barefxt_unfinished(), 0u);
      },
      [] { EXPECT_EQ(barefxt_unfinished(), 1u); });
}

TEST_F(RingTest, ClosingTakesTheSameInstructionsWhateverTheMemory) {
  if (!kCanStep) GTEST_SKIP() << "not on this machine";
  uint32_t instructions[2] = {};
  for (const unsigned segments : {4u, 400u}) {
    start(BAREFXT_MODE_ONE_SHOT, segments);
    write_as_interrupt(segments / 2 * kPerSegment);
    instructions[segments == 4 ? 0 : 1] =
        step([] { barefxt_close(); }, [](uint32_t) { return true; });
    EXPECT_FALSE(barefxt_running());
    Reservation reservation;
    EXPECT_FALSE(reserve_slowly(Owner::kCpu, torture::kMinBytes, reservation));
    EXPECT_EQ(stop_and_account().recorded_records, segments / 2 * kPerSegment);
  }
  EXPECT_EQ(instructions[0], instructions[1]);
  EXPECT_LT(instructions[0], 400u);
}

TEST_F(RingTest, TheSelfTestOfAStartTakesAFewHundredInstructions) {
  if (!kCanStep) GTEST_SKIP() << "not on this machine";
  const auto start_with = [](uint8_t skipped_checks) {
    barefxt_stop();
    config.skipped_checks = skipped_checks;
    const uint32_t instructions =
        step([] { barefxt_start(&config); }, [](uint32_t) { return true; });
    EXPECT_TRUE(barefxt_running());
    return instructions;
  };
  start(BAREFXT_MODE_ONE_SHOT, 4);
  const uint32_t without =
      start_with(BAREFXT_CHECK_STORES | BAREFXT_CHECK_CPU | BAREFXT_CHECK_COUNTER);
  const uint32_t with_all = start_with(0);
  EXPECT_GT(with_all, without);
  EXPECT_LT(with_all, without + 200);
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
                         const EndTotals dumped = dump(checker);
                         EXPECT_EQ(dumped.records, report.recorded_records);
                         // The sleeper's is of one session or the other.
                         EXPECT_GE(dumped.records + dumped.lost, interrupt_writer.attempted);
                         EXPECT_LE(dumped.records + dumped.lost, interrupt_writer.attempted + 1);
                       });
}

TEST_F(RingTest, ARingIsNotOpenedAgainOnceItIsStopped) {
  start(BAREFXT_MODE_STREAMING, 3);
  for (uint32_t i = 0; i < 4 * kPerSegment; ++i) write_one();
  SegmentHeader& first = ring().segment(0);
  clear_records(first);
  first.state.store_release(static_cast<uint32_t>(SegmentState::kFree));
  at_every_instruction([] { reopen(ring()); }, [] { barefxt_stop(); },
                       [] {
                         Reservation reservation;
                         EXPECT_FALSE(reserve_slowly(Owner::kCpu, torture::kMinBytes, reservation));
                       });
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

}  // namespace
}  // namespace barefxt::test::ring_session_test
