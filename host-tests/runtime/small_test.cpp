// An image that leaves out all optional parts (BAREFXT_SMALL): its refusals, and its counts of
// records that it cannot write.

#include "session_fixture.h"

namespace barefxt::test::small_test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr int kSwitch = 8;

class SmallTest : public SessionTest {
 protected:
  void TearDown() override {
    for (barefxt_thread& thread : threads_) barefxt_thread_unregister(&thread);
    SessionTest::TearDown();
  }

  barefxt_thread threads_[2] = {};
};

TEST_F(SmallTest, StartRefusesAModeThatWasLeftOut) {
  barefxt_config chosen = config(16);
  chosen.mode = BAREFXT_MODE_CIRCULAR;
  EXPECT_EQ(barefxt_start(&chosen), BAREFXT_ERROR_LEFT_OUT);
  chosen.mode = BAREFXT_MODE_STREAMING;
  EXPECT_EQ(barefxt_start(&chosen), BAREFXT_ERROR_LEFT_OUT);
  chosen.mode = BAREFXT_MODE_ONE_SHOT;
  EXPECT_EQ(barefxt_start(&chosen), BAREFXT_OK);
}

TEST_F(SmallTest, SnapshotsAndDumpsAsTextAreRefused) {
  start();
  EXPECT_EQ(barefxt_snapshot(), BAREFXT_ERROR_LEFT_OUT);
  barefxt_stop();
  const barefxt_writer nowhere = {[](void*, const uint8_t*, size_t) { FAIL(); }, nullptr};
  EXPECT_EQ(barefxt_dump(&nowhere, BAREFXT_DUMP_TEXT), BAREFXT_ERROR_LEFT_OUT);
}

TEST_F(SmallTest, ADumpIsRefusedWhileItRecords) {
  start();
  const barefxt_writer nowhere = {[](void*, const uint8_t*, size_t) { FAIL(); }, nullptr};
  EXPECT_EQ(barefxt_dump(&nowhere, BAREFXT_DUMP_BINARY), BAREFXT_ERROR_RUNNING);
}

TEST_F(SmallTest, SwitchesAndEventsAreWhatTheyAreElsewhere) {
  barefxt_process_register(10, "proc");
  barefxt_thread_register(&threads_[0], 10, 101, "alpha", 5);
  barefxt_thread_register(&threads_[1], 10, 102, "beta", 6);
  start();
  barefxt_context_switch(&threads_[0], BAREFXT_STATE_BLOCKED, &threads_[1]);
  BAREFXT_INSTANT(work, "plain");
  BAREFXT_INSTANT(work, "one", BAREFXT_ARG_U32("n", 7));
  BAREFXT_DURATION_COMPLETE(work, "took", 500);
  BAREFXT_IRQ_ENTER("timer");
  const PlainArchive archive = stop_and_read();
  ASSERT_EQ(archive.of_type(kSwitch).size(), 1u);
  EXPECT_EQ(archive.of_type(kSwitch)[0].thread, 101u);
  EXPECT_EQ(archive.of_type(kSwitch)[0].other_thread, 102u);
  ASSERT_EQ(archive.events("plain").size(), 1u);
  EXPECT_EQ(archive.events("plain")[0].thread, 102u);
  ASSERT_EQ(archive.events("one").size(), 1u);
  EXPECT_EQ(archive.events("one")[0].argument("n")->bits, 7u);
  EXPECT_EQ(archive.events("took").size(), 1u);
  ASSERT_EQ(archive.events("timer").size(), 1u);
  EXPECT_EQ(archive.events("timer")[0].thread, 0x7f000000u);
}

TEST_F(SmallTest, WhatThreadsWithoutAnEntryWouldRecordIsCountedAsLost) {
  start();
  barefxt_context_switch(&threads_[0], BAREFXT_STATE_BLOCKED, &threads_[1]);
  BAREFXT_INSTANT(work, "nobody's");
  barefxt_thread_register(&threads_[0], 10, 103, "gamma", 5);
  barefxt_context_switch(&threads_[1], BAREFXT_STATE_BLOCKED, &threads_[0]);
  BAREFXT_INSTANT(work, "gamma's");
  barefxt_context_switch(&threads_[0], BAREFXT_STATE_BLOCKED, &threads_[0]);
  BAREFXT_INSTANT(work, "gamma's");
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.lost_records, 3u);
  EXPECT_EQ(report.recorded_records, 3u);
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(reported_lost(archive), 3u);
  EXPECT_TRUE(archive.events("nobody's").empty());
  EXPECT_EQ(archive.events("gamma's").size(), 2u);
}

TEST_F(SmallTest, NothingIsLostThatWasNotRecorded) {
  start();
  barefxt_stop();
  barefxt_context_switch(&threads_[0], BAREFXT_STATE_BLOCKED, &threads_[1]);
  EXPECT_EQ(barefxt_stop().lost_records, 0u);
}

TEST_F(SmallTest, FromThreadsNothingIsTornOrForgotten) {
  start(64);
  write_from_threads(2000);
  const PlainArchive archive = stop_and_read();
  expect_intact(archive.events("shared"));
  EXPECT_EQ(archive.events("shared").size() + reported_lost(archive), 2000u * kWriters);
}

}  // namespace
}  // namespace barefxt::test::small_test
