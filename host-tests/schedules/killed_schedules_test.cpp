// Threads that are killed in the opening of a segment, beside others that open segments: what a
// killed one had claimed is given back only if no other thread has it.
//
// The killed one is not explored. It stands where it was killed: its Crossing is what it stored
// until then.

#include "open_records.h"
#include "sessions_explored.h"

namespace barefxt::test {
namespace {

barefxt_thread killed;
barefxt_thread other;
barefxt_thread third;
constexpr uint32_t kKilledKoid = 77;

class KilledSchedulesTest : public SchedulesTest {
 protected:
  static void start(barefxt_mode mode, unsigned segments) {
    SchedulesTest::start(mode, segments);
    killed = other = third = {};
    barefxt_thread_register(&killed, 1, kKilledKoid, "killed", 1);
  }
  // It was about to open the segment in this slot, from here.
  static void be_killed_opening(PositionWord from, uint32_t slot) {
    Crossing& crossing = open_records_of(ring()).crossings[0];
    crossing.from.store_relaxed(from);
    crossing.claims.store_relaxed(slot + 1);
    crossing.thread.store_relaxed(kKilledKoid);
  }
  // In the segment in slot 1, without a switch, in a ring of that many segments.
  static void be_killed_in_a_record(unsigned segments, unsigned opened_since) {
    start(BAREFXT_MODE_CIRCULAR, segments);
    barefxt_thread_register(&other, 1, kKilledKoid + 1, "other", 1);
    barefxt_thread_register(&third, 1, kKilledKoid + 2, "third", 1);
    barefxt_context_switch(&other, BAREFXT_STATE_RUNNABLE, &killed);
    open_next();
    Reservation reservation;
    ASSERT_TRUE(reserve_slowly(Owner::kCurrent, kSmall, reservation));
    open_next();
    barefxt_context_switch(&killed, BAREFXT_STATE_RUNNABLE, &other);
    for (unsigned i = 0; i < opened_since; ++i) open_next();
  }
  static void open_next() {
    ASSERT_TRUE(close_open_segment(ring()));
    write_earlier(1, kSmall);
  }
  static uint32_t open_slot() {
    return static_cast<uint32_t>(Position::offset(ring().position.load_relaxed())) / kSegmentBytes;
  }
};

void expect_ended() {
  require(barefxt_stop().unfinished_records == 0, "a killed thread's record is left");
}

void unregister() { barefxt_thread_unregister(&killed); }

// It announced its claim, and made none: the segment is free, until another claims it.
TEST_F(KilledSchedulesTest, AClaimThatAnotherMakes) {
  start(BAREFXT_MODE_CIRCULAR, 3);
  write_earlier(1, kLarge);
  be_killed_opening(ring().position.load_relaxed(), open_slot() + 1);
  expect_sound({{[] { write(0, kLarge); }, 0}, {unregister, 0, 0}}, account, {2, 0}, {3, 0});
}
TEST_F(KilledSchedulesTest, AClaimThatAnotherCpuMakes) {
  start(BAREFXT_MODE_CIRCULAR, 3);
  write_earlier(1, kLarge);
  be_killed_opening(ring().position.load_relaxed(), open_slot() + 1);
  expect_sound({{[] { write(0, kLarge); }, 0}, {unregister, 1}}, account, {3, 0}, {3, 1});
}

// The same of a segment with records, which another overwrites.
TEST_F(KilledSchedulesTest, AClaimThatAnotherOverwrites) {
  start(BAREFXT_MODE_CIRCULAR, 3);
  write_earlier(3, kLarge);
  be_killed_opening(ring().position.load_relaxed(), 0);
  expect_sound({{[] { write(0, kLarge); }, 0}, {unregister, 0, 0}}, account, {2, 0}, {3, 0});
}

// The same of a segment that the drain claims, and a writer opens once it is free.
void unregister_and_go_round() {
  unregister();
  write(1, kLarge);
  write(1, kLarge);
}
TEST_F(KilledSchedulesTest, AClaimThatTheDrainMakes) {
  start(BAREFXT_MODE_STREAMING, 3);
  write_earlier(2, kLarge);
  be_killed_opening(ring().position.load_relaxed(), 0);
  expect_sound({{drain_all, 0}, {unregister_and_go_round, 0, 0}}, account_for_drained, {2, 0},
               {3, 0});
}
TEST_F(KilledSchedulesTest, AClaimThatTheDrainOfAnotherCpuMakes) {
  start(BAREFXT_MODE_STREAMING, 3);
  write_earlier(2, kLarge);
  be_killed_opening(ring().position.load_relaxed(), 0);
  expect_sound({{drain_all, 0}, {unregister_and_go_round, 1}}, account_for_drained, {1, 0}, {2, 0});
}

// It reserved a record, and an interrupt left its segment. A writer passes over that one while the
// record is ended, and overwrites the switch that shows its owner.
TEST_F(KilledSchedulesTest, ARecordThatAWriterPassesOver) {
  be_killed_in_a_record(4, 2);
  expect_sound({{[] { close_open_segment(ring()); }, 0}, {unregister, 1}}, expect_ended, {2, 0},
               {3, 1});
}

// The writer overwrites the segment ahead of it, and switches there.
TEST_F(KilledSchedulesTest, ARecordWhoseSegmentComesNext) {
  be_killed_in_a_record(3, 0);
  expect_sound({{[] {
                   close_open_segment(ring());
                   barefxt_context_switch(&other, BAREFXT_STATE_RUNNABLE, &third);
                 },
                 0},
                {unregister, 1}},
               expect_ended, {2, 0}, {3, 1});
}

// It opened the segment, and did not come to store its record's placeholder. Another leaves the
// segment, which looks as if it had never been opened until that one has stored its end.
TEST_F(KilledSchedulesTest, ASegmentThatAnotherLeaves) {
  static uint32_t slot;
  start(BAREFXT_MODE_CIRCULAR, 4);
  write_earlier(1, kLarge);
  const PositionWord from = ring().position.load_relaxed();
  Reservation reservation;
  ASSERT_TRUE(reserve_slowly(Owner::kNobody, kLarge, reservation));
  *reservation.words = 0;
  slot = open_slot();
  be_killed_opening(from, slot);
  expect_sound({{[] { close_open_segment(ring()); }, 0}, {unregister, 0, 0}},
               [] {
                 require(state_of(ring().segment(slot)) == SegmentState::kLive,
                         "a segment in use is given back");
                 require(ring().segment(slot).end.load_relaxed() != 0, "a segment has no end");
                 // No switch shows its owner.
                 require(barefxt_stop().unfinished_records == 1, "a record is forgotten");
               },
               {2, 0}, {3, 0});
}

}  // namespace
}  // namespace barefxt::test
