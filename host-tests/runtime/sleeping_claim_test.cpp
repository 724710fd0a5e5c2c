// A writer sleeps anywhere in the opening of a ring's last free segment. What others write
// meanwhile is lost, at a cost that does not grow with the ring; and no segment is lost for good.
#include <algorithm>
#include <gtest/gtest.h>

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

#include "configuration.h"

extern "C" const char barefxt_retained_start[1] = {};

namespace barefxt::test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr unsigned kFew = 8;
constexpr unsigned kMany = 64;
alignas(8) uint8_t memory[kMany * kSegmentBytes];
uint64_t now;

uint32_t accesses;
uint32_t asleep_at;  // before this access; 0: never
void (*meanwhile)();

void write() { BAREFXT_INSTANT(work, "event"); }

uint64_t lost() { return rings[0].records_lost.value(); }

void start(barefxt_mode mode, unsigned segments) {
  barefxt_stop();
  barefxt_config config = config_of(memory, size_t{segments} * kSegmentBytes, 1, mode);
  ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
}

unsigned open_slot() {
  return static_cast<unsigned>((rings[0].position.load_acquire() & Position::kOffsetMask) /
                               kSegmentBytes);
}
bool has_room() {
  const PositionWord offset = rings[0].position.load_acquire() & Position::kSegmentMask;
  return Position::fits(offset + 16, 16);
}

// The next record opens the ring's last segment.
void fill_all_but_one(unsigned segments) {
  while (open_slot() != segments - 2 || has_room()) write();
  ASSERT_EQ(lost(), 0u);
}

// Returns the accesses of the writer that opens the last segment.
uint32_t open_last(barefxt_mode mode, unsigned segments, uint32_t at) {
  start(mode, segments);
  fill_all_but_one(segments);
  accesses = 0;
  asleep_at = at;
  write();
  asleep_at = 0;
  return accesses;
}

uint32_t most_accesses;

uint32_t most_accesses_of_a_drop(barefxt_mode mode, unsigned segments) {
  most_accesses = 0;
  meanwhile = [] {
    for (int i = 0; i < 3; ++i) {
      const uint32_t before = accesses;
      const uint64_t lost_before = lost();
      write();
      // The first looks for a segment.
      if (lost() != lost_before && i != 0)
        most_accesses = std::max(most_accesses, accesses - before);
    }
  };
  const uint32_t taken = open_last(mode, segments, 0);
  for (uint32_t at = 1; at <= taken; ++at) {
    open_last(mode, segments, at);
    barefxt_stop();
  }
  return most_accesses;
}

uint64_t records_of_full_ring(barefxt_mode mode, uint32_t at) {
  open_last(mode, kFew, at);
  const uint64_t before = lost();
  while (lost() < before + 3) write();
  EXPECT_TRUE(Position::is_full(rings[0].position.load_acquire()));
  return barefxt_stop().recorded_records;
}

class SleepingClaimTest : public ::testing::TestWithParam<barefxt_mode> {
 protected:
  SleepingClaimTest() {
    barefxt_host_counter = [] { return ++now; };
  }
  ~SleepingClaimTest() override { barefxt_stop(); }
};

TEST_P(SleepingClaimTest, MakesNoDropDearerInALargeRing) {
  const uint32_t in_small = most_accesses_of_a_drop(GetParam(), kFew);
  const uint32_t in_large = most_accesses_of_a_drop(GetParam(), kMany);
  EXPECT_GT(in_small, 0u);
  EXPECT_EQ(in_large, in_small);
}

TEST_P(SleepingClaimTest, LeavesTheRingAllItsSegments) {
  meanwhile = [] {};
  const uint64_t undisturbed = records_of_full_ring(GetParam(), 0);
  const uint32_t taken = open_last(GetParam(), kFew, 0);
  meanwhile = [] {
    for (int i = 0; i < 3; ++i) write();
  };
  for (uint32_t at = 1; at <= taken; ++at)
    EXPECT_EQ(records_of_full_ring(GetParam(), at), undisturbed) << "before access " << at;
}

INSTANTIATE_TEST_SUITE_P(Modes, SleepingClaimTest,
                         ::testing::Values(BAREFXT_MODE_ONE_SHOT, BAREFXT_MODE_STREAMING));

void drain() {
  static uint8_t buffer[BAREFXT_DRAIN_BYTES];
  while (barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY) != 0) {
  }
}
bool can_record() {
  const uint64_t before = lost();
  write();
  return lost() == before;
}
bool is_claimed(unsigned slot) {
  return state_of(rings[0].segment(slot)) == SegmentState::kClaimed;
}

class SleepingClaimDrainTest : public ::testing::Test {
 protected:
  SleepingClaimDrainTest() {
    barefxt_host_counter = [] { return ++now; };
  }
  ~SleepingClaimDrainTest() override { barefxt_stop(); }
};

TEST_F(SleepingClaimDrainTest, LetsOthersRecordAsSoonAsADrainMadeRoom) {
  meanwhile = [] {
    for (int i = 0; i < 3; ++i) write();
    drain();
    EXPECT_TRUE(can_record());
  };
  const uint32_t taken = open_last(BAREFXT_MODE_STREAMING, kFew, 0);
  for (uint32_t at = 1; at <= taken; ++at) {
    SCOPED_TRACE(at);
    open_last(BAREFXT_MODE_STREAMING, kFew, at);
  }
}

TEST_F(SleepingClaimDrainTest, IsRoomForOthersOnceItIsGivenBack) {
  static bool was_claimed;
  meanwhile = [] {
    was_claimed = is_claimed(kFew - 1);
    drain();
    while (can_record()) {
    }
  };
  const uint32_t taken = open_last(BAREFXT_MODE_STREAMING, kFew, 0);
  uint32_t places = 0;
  for (uint32_t at = 1; at <= taken; ++at) {
    open_last(BAREFXT_MODE_STREAMING, kFew, at);
    if (!was_claimed) continue;
    ++places;
    // The sleeper's own record was the first to find it, or this is.
    EXPECT_TRUE(open_slot() == kFew - 1 || can_record()) << "before access " << at;
  }
  EXPECT_GT(places, 0u);
}

}  // namespace
}  // namespace barefxt::test

extern "C" void barefxt_at_access(void) {
  using namespace barefxt::test;
  if (++accesses != asleep_at) return;
  asleep_at = 0;
  meanwhile();
}
