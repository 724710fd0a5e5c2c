// The ring's code in every order, and with every late load, within the limits of each test.

#include <barefxt/kernel_hooks.h>

#include "held_segments.h"
#include "sessions_explored.h"

namespace barefxt::test {
namespace {

// A limit of the tests that take longest: words in halves make twice as many executions.
#ifdef BAREFXT_TEST_HALVES
constexpr unsigned kMany = 1;
#else
constexpr unsigned kMany = 2;
#endif

// ---- Writers ----

TEST_F(SchedulesTest, TwoWritersInOneSegment) {
  start(BAREFXT_MODE_ONE_SHOT, 2);
  expect_sound({{[] { write(0, kSmall); }, 0}, {[] { write(1, kSmall); }, 1}}, account, {3, 1},
               {8, 8});
}

TEST_F(SchedulesTest, TwoWritersThatCross) {
  start(BAREFXT_MODE_ONE_SHOT, 4);
  write_earlier(1, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0}, {[] { write(1, kLarge); }, 1}}, account, {2, 1},
               {3, 2});
}

TEST_F(SchedulesTest, TwoWritersForTheLastSegment) {
  start(BAREFXT_MODE_ONE_SHOT, 3);
  write_earlier(2, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0}, {[] { write(1, kLarge); }, 1}}, account, {2, 1},
               {3, 2});
}

TEST_F(SchedulesTest, AWriterThatInterruptsACrossing) {
  start(BAREFXT_MODE_CIRCULAR, 3);
  write_earlier(4, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0},
                {[] {
                   write(1, kLarge);
                   write(1, kSmall);
                   write(1, kLarge);
                 },
                 0, 0},
                {[] { write(2, kLarge); }, 0, 1}},
               account, {kMany, 0}, {4, 0});
}

TEST_F(SchedulesTest, TwoWritersThatOverwrite) {
  start(BAREFXT_MODE_CIRCULAR, 3);
  write_earlier(4, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0}, {[] { write(1, kLarge); }, 1}}, account, {kMany, 1},
               {3, 1});
}

// Numbers of segments wrap in between.
TEST_F(SchedulesTest, TwoWritersWhoseSegmentsNumbersWrap) {
  start(BAREFXT_MODE_CIRCULAR, 3);
  SegmentHeader& open = ring().open_segment(ring().position.load_relaxed());
  open.sequence = 0u - 4;
  open.checksum = header_checksum(open);
  write_earlier(4, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0}, {[] { write(1, kLarge); }, 1}}, account, {1, 1},
               {3, 1});
}

// ---- Readers beside writers ----

TEST_F(SchedulesTest, AWalkBesideTwoWriters) {
  start(BAREFXT_MODE_ONE_SHOT, 2);
  expect_sound({{[] { write(0, kSmall); }, 0},
                {[] { write(1, kSmall); }, 1},
                {[] {
                   uint64_t ticks = 0;
                   read_all(SegmentWalker(ring().segment(0)), ticks, false);
                 },
                 2}},
               account, {2, 2}, {3, 3});
}

// A stop counts all records, at any point where it finds writers at work. One that was reserved and
// has no placeholder yet may be missing.
uint64_t counted;
uint64_t count_by_stop() {
  const barefxt_stop_report report = barefxt_stop();
  return report.recorded_records + report.overwritten_records + report.lost_records +
         report.unfinished_records;
}
TEST_F(SchedulesTest, AStopBesideAWriterThatOverwrites) {
  start(BAREFXT_MODE_CIRCULAR, 3);
  is_stopped_beside_a_writer = true;
  write_earlier(4, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0}, {[] { counted = count_by_stop(); }, 1}},
               [] {
                 account();
                 require(counted >= 4 && counted <= count_by_stop(),
                         "a stop counts records that there are not");
               },
               {1, 2}, {2, 2});
}

TEST_F(SchedulesTest, ASnapshotBesideAWriterThatOverwrites) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  write_earlier(5, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0},
                {[] {
                   if (barefxt_snapshot() != BAREFXT_OK) return;
                   HeldSegments held(ring(), barefxt_descriptor.capture);
                   uint64_t ticks = 0;
                   unsigned segments = 0;
                   while (const SegmentHeader* segment = held.next()) {
                     read_all(SegmentWalker(*segment), ticks, false);
                     ++segments;
                   }
                   require(segments <= 1, "a snapshot leaves less than three segments to writers");
                   barefxt_snapshot_release();
                 },
                 1}},
               account, {1, 1}, {2, 1});
}

// Records are dropped, or go where the drain has made room.
TEST_F(SchedulesTest, ADrainBesideAWriterOfAFullRing) {
  start(BAREFXT_MODE_STREAMING, 3);
  write_earlier(4, kLarge);
  expect_sound({{[] {
                   write(0, kLarge);
                   write(0, kLarge);
                 },
                 0},
                {drain_all, 1}},
               account_for_drained, {1, 1}, {2, 1});
}

TEST_F(SchedulesTest, ADrainBesideAWriterAndAStop) {
  start(BAREFXT_MODE_STREAMING, 3);
  is_stopped_beside_a_writer = true;
  write_earlier(2, kLarge);
  drain_all();
  expect_sound({{[] { write(0, kLarge); }, 0}, {drain_all, 1}, {barefxt_close, 2}},
               account_for_drained, {1, 1}, {2, 1});
}

// ---- Sessions ----

TEST_F(SchedulesTest, ARewindBesideAWriter) {
  start(BAREFXT_MODE_CIRCULAR, 3);
  write_earlier(1, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0}, {[] { barefxt_rewind(); }, 1}},
               [] {
                 barefxt_stop();
                 for (uint32_t slot = 0; slot < ring().segments; ++slot) {
                   const SegmentState state = state_of(ring().segment(slot));
                   require(state == SegmentState::kFree || state == SegmentState::kLive ||
                               state == SegmentState::kRetired,
                           "a segment is left");
                 }
                 require(barefxt_unfinished() == 0, "a writer that is done is waited for");
               },
               {1, 1}, {2, 1});
}

// A close that found the session ahead of the rewind ends no half of the next.
TEST_F(SchedulesTest, ARewindBesideAClose) {
  start(BAREFXT_MODE_ONE_SHOT, 2);
  expect_sound({{barefxt_close, 0}, {[] { barefxt_rewind(); }, 1}},
               [] {
                 require(barefxt_running() == !Position::is_closed(ring().position.load_relaxed()),
                         "a session runs without its ring");
               },
               {2, 2}, {3, 2});
}

// Once nothing is unfinished the memory is the application's, and no writer stores into it.
constexpr fxt::Word kApplication = 0x4170706c69636174;
bool is_given_back;
template <typename Each>
void for_each_place(Each each) {
  for (const uint32_t at : {kSegmentHeaderBytes + kLarge, kSegmentBytes + kSegmentHeaderBytes})
    for (uint32_t i = 0; i < kSmall / fxt::kWordBytes; ++i)
      each(reinterpret_cast<fxt::Word*>(memory + at)[i]);
}
void give_back_memory() {
  barefxt_stop();
  barefxt_rewind();
  barefxt_stop();
  is_given_back = barefxt_unfinished() == 0;
  if (is_given_back) for_each_place([](fxt::Word& word) { word = kApplication; });
}
void judge_memory() {
  if (is_given_back)
    for_each_place([](const fxt::Word& word) {
      require(word == kApplication, "a writer stores into memory that is not the ring's");
    });
}
TEST_F(SchedulesTest, MemoryIsGivenBackBesideAWriter) {
  start(BAREFXT_MODE_ONE_SHOT, 2);
  write_earlier(1, kLarge);
  expect_sound({{[] { write(0, kSmall); }, 0}, {give_back_memory, 1}}, judge_memory, {2, 1},
               {3, 1});
}
TEST_F(SchedulesTest, MemoryIsGivenBackBesideAWriterThatCrosses) {
  start(BAREFXT_MODE_ONE_SHOT, 2);
  write_earlier(1, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0}, {give_back_memory, 1}}, judge_memory, {1, 1},
               {2, 1});
}

// ---- Threads ----

barefxt_thread one;
barefxt_thread other;

TEST_F(SchedulesTest, SwitchesTurnedOffInASwitchLeaveNoThread) {
  one = {};
  other = {};
  start(BAREFXT_MODE_CIRCULAR, 3);
  barefxt_thread_register(&one, 1, 1, "one", 1);
  barefxt_thread_register(&other, 1, 2, "other", 1);
  expect_sound({{[] { barefxt_context_switch(&one, BAREFXT_STATE_RUNNABLE, &other); }, 0},
                {[] { barefxt_set_categories(~BAREFXT_CATEGORY_BIT(sched)); }, 0, 0}},
               [] {
                 // One that had its record by then runs, and is dropped when it leaves.
                 barefxt_context_switch(&other, BAREFXT_STATE_BLOCKED, &one);
                 require(ring().current.load_relaxed() == &ring().cpu_thread &&
                             ring().current_reference.load_relaxed() == ring().cpu_thread.reference,
                         "a switch leaves its thread to events behind it");
                 // Or, if the kernel does not report that, by the writer that opens a segment.
                 ring().set_current(other);
                 close_open_segment(ring());
                 require(ring().current.load_relaxed() == &ring().cpu_thread,
                         "a thread stays in the next segment");
               },
               {2, 0}, {4, 0});
}

#ifdef BAREFXT_POSITION_SEQUENCE_BITS

// An interrupt that crosses until the position is again what it was: by then only the number of the
// open segment shows that it is another.
TEST_F(SchedulesTest, ACrossingInterruptedUntilThePositionIsTheSame) {
  start(BAREFXT_MODE_CIRCULAR, 3);
  write_earlier(4, kLarge);
  expect_sound({{[] { write(0, kLarge); }, 0},
                {[] {
                   for (unsigned i = 0; i < 4; ++i) write(1, kLarge);
                 },
                 0, 0}},
               [] {
                 const SegmentHeader& open = ring().open_segment(ring().position.load_relaxed());
                 for (uint32_t slot = 0; slot < ring().segments; ++slot)
                   require(!is_before(open.sequence, ring().segment(slot).sequence),
                           "the number of the open segment falls back");
                 account();
               },
               {1, 0}, {1, 0});
}

#endif

}  // namespace
}  // namespace barefxt::test
