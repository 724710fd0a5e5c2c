// A drain and a dump of the same session, each interrupted by the other at every instruction of
// what they do to segments: nothing is torn, lost or sent twice.

#include <optional>

#include "held_segments.h"
#include "ring_stepping.h"

namespace barefxt::test::ring_dump_test {
namespace {

class RingDumpTest : public RingTest {
 protected:
  static constexpr unsigned kSegments = 3;

  // So many full segments of a session that is over.
  static void record() {
    start(BAREFXT_MODE_STREAMING, kSegments + 1);
    for (unsigned i = 0; i < kSegments; ++i) {
      fill_segment();
      write_one();
    }
    barefxt_stop();
    recorded = attempted();
    checker = Checker();
    reader.emplace(checker);
    segments_read = 0;
  }
  static void expect_whole_stream() {
    drain(*reader);
    EXPECT_TRUE(barefxt_drain_is_over());
    EXPECT_STREQ(reader->problem(), nullptr);
    EXPECT_STREQ(checker.problem(), nullptr);
    EXPECT_EQ(reader->totals().records, recorded);
    EXPECT_EQ(reader->totals().lost, 0u);
    EXPECT_EQ(barefxt_stop().recorded_records, recorded);
  }

  // A dump's work on segments, without the bytes of its frames.
  static void read_as_a_dump() {
    HeldSegments segments(ring(), barefxt_descriptor.capture);
    segments.hold_all();
    while (SegmentHeader* segment = segments.next()) {
      const SegmentAmount first = look_through(*segment).finished;
      read[segments_read++] = {first.records, look_through(*segment).finished.records};
      segments.let_go(*segment);
    }
  }
  struct Read {
    uint32_t records;
    uint32_t records_again;
  };

  inline static uint64_t recorded;
  inline static Checker checker;
  inline static std::optional<FrameReader> reader;
  inline static uint32_t segments_read;
  inline static Read read[2 * kSegments + 2];
};

TEST_F(RingDumpTest, ADumpInterruptedAnywhereByTheDrainReadsWholeSegments) {
  record();
  at_every_instruction([] { read_as_a_dump(); }, [] { drain(*reader); },
                       [] {
                         EXPECT_LE(segments_read, kSegments + 1);
                         for (uint32_t i = 0; i < segments_read; ++i) {
                           EXPECT_GT(read[i].records, 0u);
                           EXPECT_EQ(read[i].records, read[i].records_again);
                         }
                         expect_whole_stream();
                       });
}

// The drain gives back the segment that it has sent, and sends nothing, as it has no room.
TEST_F(RingDumpTest, ADrainInterruptedAnywhereByADumpLosesNothing) {
  if (!kCanStep) GTEST_SKIP() << "not on this machine";
  record();
  segment_in_dump.store_release(&ring().segment(0));
  drain(*reader);
  segment_in_dump.store_release(nullptr);
  ASSERT_EQ(state_of(ring().segment(0)), SegmentState::kHeld);
  ASSERT_EQ(ring().records_drained.value(), 0u);
  static uint32_t in_segment;
  in_segment = look_through(ring().segment(0)).finished.records;
  at_every_instruction(
      [] { barefxt_drain(nullptr, 0, BAREFXT_DUMP_BINARY); },
      [] {
        const uint64_t reported = barefxt_stop().recorded_records;
        EXPECT_TRUE(reported == recorded || reported == recorded - in_segment) << reported;
        Checker dumped;
        const uint64_t records = dump(dumped).records;
        EXPECT_TRUE(records == recorded || records == recorded - in_segment) << records;
      },
      [] {
        EXPECT_EQ(barefxt_stop().recorded_records, recorded);
        expect_whole_stream();
      });
  EXPECT_EQ(ring().records_drained.value(), in_segment) << "that call gave it back";
}

TEST_F(RingDumpTest, AReportInterruptedAnywhereByTheDrainCountsNothingTwice) {
  record();
  static uint64_t reported;
  at_every_instruction([] { reported = barefxt_stop().recorded_records; }, [] { drain(*reader); },
                       [] {
                         EXPECT_LE(reported, recorded);
                         expect_whole_stream();
                       });
}

}  // namespace
}  // namespace barefxt::test::ring_dump_test
