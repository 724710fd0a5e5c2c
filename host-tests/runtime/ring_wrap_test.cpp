// Numbers that wrap: those of segments after 2^32 of them, and those in positions, which have few
// bits on CPUs of 32.

#include "ring_stepping.h"

namespace barefxt::test {
namespace {

class RingWrapTest : public RingTest {
 protected:
  // So that the ring opens that many segments more before the numbers of segments wrap.
  static void start_near_the_wrap(barefxt_mode mode, unsigned segments, uint32_t before_wrap) {
    start(mode, segments);
    SegmentHeader& open = open_segment();
    open.sequence = 0u - before_wrap;
    open.checksum = header_checksum(open);
  }
  static void write_segments(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t sequence = open_segment().sequence;
      while (open_segment().sequence == sequence) write_one();
    }
  }
};

// The checker takes the order from the records' numbers.
TEST_F(RingWrapTest, ADumpSendsSegmentsInTheirOrder) {
  for (uint32_t before_wrap = 1; before_wrap < 12; ++before_wrap) {
    start_near_the_wrap(BAREFXT_MODE_CIRCULAR, 5, before_wrap);
    write_segments(9);
    EXPECT_EQ(stop_and_account().lost_records, 0u);
  }
}

TEST_F(RingWrapTest, ASnapshotHoldsTheNewestAndCountsTheRest) {
  for (uint32_t before_wrap = 1; before_wrap < 12; ++before_wrap) {
    start_near_the_wrap(BAREFXT_MODE_CIRCULAR, 6, before_wrap);
    write_segments(9);
    ASSERT_EQ(barefxt_snapshot(), BAREFXT_OK);
    Checker checker;
    const EndTotals dumped = dump(checker);
    EXPECT_EQ(dumped.records + dumped.lost, thread_writer.attempted);
    EXPECT_GE(dumped.records, 3 * (kPerSegment / 3));
    barefxt_stop();
  }
}

TEST_F(RingWrapTest, ADrainSendsTheOldestFirst) {
  for (uint32_t before_wrap = 1; before_wrap < 6; ++before_wrap) {
    start_near_the_wrap(BAREFXT_MODE_STREAMING, 5, before_wrap);
    Checker checker;
    FrameReader reader(checker);
    for (int i = 0; i < 4; ++i) {
      write_segments(3);
      drain(reader);
    }
    barefxt_stop();
    drain(reader);
    EXPECT_TRUE(barefxt_drain_is_over());
    EXPECT_STREQ(reader.problem(), nullptr);
    EXPECT_STREQ(checker.problem(), nullptr);
    EXPECT_EQ(reader.totals().records, thread_writer.attempted);
  }
}

TEST_F(RingWrapTest, ATriggerEndsRecordingBehindTheWrap) {
  for (uint32_t before_wrap = 1; before_wrap < 6; ++before_wrap) {
    start_near_the_wrap(BAREFXT_MODE_CIRCULAR, 8, before_wrap);
    barefxt_trigger(3);
    EXPECT_TRUE(barefxt_running());
    const uint32_t first = open_segment().sequence;
    uint32_t last = first;
    for (uint32_t i = 0; i < 20 * kPerSegment && barefxt_running(); ++i) {
      write_one();
      if (barefxt_running()) last = open_segment().sequence;
    }
    EXPECT_FALSE(barefxt_running());
    // One more where the number to stop at would be 0, which is none.
    EXPECT_EQ(last - first, before_wrap == 4 ? 4u : 3u);
  }
}

#ifdef BAREFXT_POSITION_SEQUENCE_BITS

// The record that is interrupted in its crossing, and how that went.
uint32_t crossings = 0;
enum class Arm : uint8_t { kOff, kOn, kFired } arm = Arm::kOff;

// Interrupts a writer that has prepared a segment, by so many records that the position is again
// what it was: then the number in it shows nothing.
uint64_t tick_with_wrap() {
  const uint64_t tick = next_tick();
  if (arm != Arm::kOn) return tick;
  Ring& ring = rings[0];
  const PositionWord before = ring.position.load_relaxed();
  const SegmentHeader* open = &ring.open_segment(before);
  bool is_prepared = false;
  for (uint32_t slot = 0; slot < ring.segments; ++slot) {
    const SegmentHeader& segment = ring.segment(slot);
    is_prepared |= &segment != open && state_of(segment) == SegmentState::kLive &&
                   segment.end.load_relaxed() == 0;
  }
  if (!is_prepared) return tick;
  arm = Arm::kFired;
  do {
    Reservation filler;
    if (!reserve_slowly(Owner::kCpu, torture::kMinBytes, filler)) break;
    filler.words[1] = filler.ticks;
    RecordHeaderWord::commit(filler.words, 0x4 | torture::kMinBytes / fxt::kWordBytes << 4);
    const SegmentHeader* now_open = &ring.open_segment(ring.position.load_relaxed());
    crossings += now_open != open ? 1 : 0;
    open = now_open;
  } while (ring.position.load_relaxed() != before && crossings < 100000);
  return tick;
}

TEST_F(RingWrapTest, ACrossingThatSleepsUntilThePositionIsTheSameNumbersNoSegmentTwice) {
  start(BAREFXT_MODE_CIRCULAR, 4);
  barefxt_host_counter = tick_with_wrap;
  arm = Arm::kOn;
  while (arm != Arm::kFired) {
    Reservation filler;
    ASSERT_TRUE(reserve_slowly(Owner::kCpu, torture::kMinBytes, filler));
    commit_filler(filler);
  }
  ASSERT_GT(crossings, 200u);
  ASSERT_LT(crossings, 100000u) << "the position never came again";
  // The newest is the open one.
  for (uint32_t slot = 0; slot < ring().segments; ++slot) {
    if (&ring().segment(slot) == &open_segment()) continue;
    EXPECT_TRUE(is_before(ring().segment(slot).sequence, open_segment().sequence)) << slot;
  }
  barefxt_host_counter = next_tick;
}

#endif

}  // namespace
}  // namespace barefxt::test
