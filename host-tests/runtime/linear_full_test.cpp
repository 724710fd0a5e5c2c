// Records that find no room in a ring without segments, or have no thread, at every instruction:
// each is counted once, and earlier records stay.
//
// With the runtime alone, as linear_ring_test.cpp.

#include "linear_stepping.h"

namespace barefxt::test::linear_full_test {
namespace {

using LinearFullTest = LinearRingTest;

void write_and_find_that_a_loss_has_closed_it() {
  const bool is_full = rings[0].records_lost.value() != 0;
  const PositionWord before = rings[0].position.load_relaxed();
  write_in_another_thread();
  EXPECT_TRUE(!is_full || rings[0].position.load_relaxed() == before);
}

TEST_F(LinearFullTest, AWriterThatFindsNoRoomInterruptedAnywhereByOthersIsCountedOnce) {
  SKIP_UNLESS_IT_STEPS();
  for (const uint32_t room : {0u, 8u, 16u, 24u, 32u}) {
    SCOPED_TRACE(room);
    SetUp();
    start();
    fill_but(room);
    at_every_instruction(&event_of_3, &write_and_find_that_a_loss_has_closed_it, [] {
      const PositionWord closed = rings[0].position.load_relaxed();
      event_of_0();
      EXPECT_EQ(rings[0].position.load_relaxed(), closed) << "one was let in behind a loss";
      const barefxt_stop_report report = barefxt_stop();
      EXPECT_EQ(report.recorded_records + report.lost_records, attempted);
      EXPECT_EQ(report.unfinished_records, 0u);
      const DumpedRecords dumped = DumpedRecords::of_dump(report);
      for (const DumpedRecord& record : dumped.records) expect_whole(record);
      EXPECT_EQ(dumped.bytes() + dumped.end.lost_bytes, attempted_bytes);
    });
    barefxt_stop();
  }
}

TEST_F(LinearFullTest, ALossInterruptedAnywhereByAStopCountsBeforeItOrNot) {
  SKIP_UNLESS_IT_STEPS();
  static barefxt_stop_report at_stop;
  start();
  fill_but(0);
  at_every_instruction(
      &event_of_3, [] { at_stop = barefxt_stop(); },
      [] {
        const barefxt_stop_report report = barefxt_stop();
        EXPECT_LE(report.lost_records, 1u);
        EXPECT_GE(report.lost_records, at_stop.lost_records);
        EXPECT_EQ(report.recorded_records, at_stop.recorded_records);
        EXPECT_EQ(report.unfinished_records, 0u);
      });
}

TEST_F(LinearFullTest, ALostRecordIsCountedWhereverItIsInterruptedAndClosesNothing) {
  SKIP_UNLESS_IT_STEPS();
  const Writing writings[] = {{"switch to it", [] { switch_threads(a, none); }},
                              {"event of it",
                               [] {
                                 switch_threads(a, none);
                                 event_of_1();
                                 switch_threads(none, a);
                               }},
                              {"too large", &too_large}};
  static uint32_t lost;
  for (const Writing& writing : writings) {
    SCOPED_TRACE(writing.name);
    SetUp();
    start();
    writing.write();
    lost = static_cast<uint32_t>(rings[0].records_lost.value());
    boot_and_register_again();
    attempted = 0;
    attempted_bytes = 0;
    start();
    at_every_instruction(
        writing.write,
        [] {
          barefxt_thread_register(&late, 10, 104, "late", 4);
          event_of_3();  // of `a`, or of none and lost
        },
        [] {
          switch_threads(c, a);
          event_of_0();
          const barefxt_stop_report report = barefxt_stop();
          EXPECT_EQ(report.unfinished_records, 0u);
          EXPECT_EQ(report.recorded_records + report.lost_records, attempted);
          EXPECT_GE(report.lost_records, 1u);
          EXPECT_LE(report.lost_records, lost + 1u);
          const DumpedRecords dumped = DumpedRecords::of_dump(report);
          for (const DumpedRecord& record : dumped.records) {
            expect_whole(record);
            EXPECT_TRUE(record.is_switch() || record.thread() == 1);
            EXPECT_NE(fxt::Event::Name::in(record.header()), BAREFXT_STRING("one"))
                << "an event without a thread, dumped as another's";
          }
          EXPECT_FALSE(dumped.records.back().is_switch()) << "the last event was not let in";
        });
    barefxt_stop();
  }
}

}  // namespace
}  // namespace barefxt::test::linear_full_test
