// Losses of a ring without segments: all records that do not fit, in one gap, and records without a
// thread.

#include "linear_fixture.h"

namespace barefxt::test::linear_losses_test {
namespace {

BAREFXT_CATEGORY(work, 3);

using linear::Place;
using LinearLossesTest = LinearTest;

constexpr uint64_t kCpu0 = 0x7f000000;

TEST_F(LinearLossesTest, AllThatAFullRingLosesIsOneGapAtItsEnd) {
  start(1);
  barefxt_context_switch(&b_, BAREFXT_STATE_BLOCKED, &a_);
  write_numbers(0, 150);
  ASSERT_EQ(lost_bytes(), 0u);
  // Some room is left, but none for this one.
  const std::string text(900, 'x');
  BAREFXT_INSTANT(work, "long", BAREFXT_ARG_STRING("text", text.data(), text.size()));
  const uint64_t long_bytes = lost_bytes();
  EXPECT_EQ(long_bytes, 16 + 8 + 904u);
  // From there on none is written, however small.
  BAREFXT_INSTANT(work, "late");
  BAREFXT_INSTANT(work, "late", BAREFXT_ARG_U32("n", 1));
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &b_);
  BAREFXT_IRQ_ENTER("late");
  BAREFXT_LOG(work, "late", 4);
  barefxt_thread_wakeup(&a_);
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.recorded_records, 151u);
  EXPECT_EQ(report.lost_records, 7u);
  EXPECT_EQ(lost_bytes(), long_bytes + 16 + 24 + 16 + 16 + 24 + 24);
  const PlainArchive archive = read(dump());
  EXPECT_EQ(numbers(archive).size(), 150u);
  EXPECT_TRUE(archive.events("late").empty());
  ASSERT_EQ(archive.events("drop_stats").size(), 1u);
  const PlainRecord gap = archive.events("drop_stats")[0];
  EXPECT_EQ(gap.argument("records")->bits, 7u);
  EXPECT_GE(gap.timestamp, archive.events("n").back().timestamp);
}

TEST_F(LinearLossesTest, ARingIsUsedToItsLastByteAndNotBeyond) {
  for (const size_t odd : {size_t{0}, size_t{1}, size_t{7}, size_t{8}, size_t{9}, size_t{15}}) {
    SCOPED_TRACE(odd);
    barefxt_config chosen = config(2);
    const auto words = static_cast<size_t>(kSegmentBytes + 64) / 8;
    std::fill(memory_.begin(), memory_.end(), ~uint64_t{0});
    chosen.bytes = kSegmentBytes + odd;
    boot();
    ASSERT_EQ(barefxt_start(&chosen), BAREFXT_OK);
    for (uint32_t i = 0; i < kSegmentBytes; ++i) BAREFXT_INSTANT(work, "fill");
    const barefxt_stop_report report = barefxt_stop();
    EXPECT_EQ(report.recorded_records, (kSegmentBytes + odd - Place::kFirst) / 16);
    EXPECT_EQ(report.recorded_records + report.lost_records, kSegmentBytes);
    EXPECT_EQ(memory_[0], 0u) << "the first word has no record";
    const size_t end = (kSegmentBytes + odd + 7) / 8;
    for (size_t at = end; at < words; ++at) EXPECT_EQ(memory_[at], ~uint64_t{0});
    EXPECT_EQ(read(dump()).events("fill").size(), report.recorded_records);
  }
}

TEST_F(LinearLossesTest, ARecordThatIsTooLargeIsLostAndTheNextIsWritten) {
  start(4);
  const std::string bytes(kMaxRecordBytes, 'b');
  BAREFXT_INSTANT(work, "too large", BAREFXT_ARG_BLOB("blob", bytes.data(), bytes.size()));
  BAREFXT_INSTANT(work, "next");
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.lost_records, 1u);
  EXPECT_EQ(lost_bytes(), 16 + 8 + (bytes.size() + 7) / 8 * 8);
  const PlainArchive archive = read(dump());
  EXPECT_EQ(archive.events("next").size(), 1u);
  EXPECT_EQ(reported_lost(archive), 1u);
}

TEST_F(LinearLossesTest, WhatThreadsWithoutAnEntryWouldRecordIsLostAndOthersGoOn) {
  barefxt_thread none = {};
  start(4);
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &none);   // lost: 16 bytes each
  BAREFXT_INSTANT(work, "nobody's");                           // 16
  BAREFXT_INSTANT(work, "nobody's", BAREFXT_ARG_U32("n", 1));  // 24
  BAREFXT_INSTANT(work, "nobody's", BAREFXT_ARG_U32("n", 1), BAREFXT_ARG_U32("m", 2));  // 32
  BAREFXT_LOG(work, "nobody's", 8);                                                     // 24
  // Records of the CPU and of other threads, and without a thread, are kept.
  BAREFXT_IRQ_ENTER("tick");
  BAREFXT_IRQ_EXIT("tick");
  barefxt_thread_wakeup(&a_);
  BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, &a_, BAREFXT_TEXT("alpha's"), 0);
  barefxt_context_switch(&none, BAREFXT_STATE_BLOCKED, &none);
  barefxt_context_switch(&none, BAREFXT_STATE_BLOCKED, &b_);
  BAREFXT_INSTANT(work, "beta's");
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.lost_records, 7u);
  EXPECT_EQ(lost_bytes(), 3 * 16 + 16 + 24 + 32 + 24u);
  EXPECT_EQ(report.recorded_records, 5u);
  const PlainArchive archive = read(dump());
  EXPECT_TRUE(archive.events("nobody's").empty());
  EXPECT_EQ(archive.events("tick").size(), 2u);
  EXPECT_EQ(archive.events("alpha's").at(0).thread, 101u);
  EXPECT_EQ(archive.events("beta's").at(0).thread, 102u);
  EXPECT_EQ(reported_lost(archive), 7u);
}

TEST_F(LinearLossesTest, NothingCountsBeforeTheStartAndAfterTheStop) {
  const auto try_everything = [&] {
    barefxt_thread none = {};
    barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &none);
    BAREFXT_INSTANT(work, "off");
    barefxt_log("off", 3);
    barefxt_event(BAREFXT_EVENT_INSTANT, nullptr, BAREFXT_TEXT("work"), BAREFXT_TEXT("off"), 0,
                  nullptr, 0);
    const std::string bytes(20000, 'b');
    barefxt_blob(BAREFXT_TEXT("off"), BAREFXT_BLOB_DATA, bytes.data(), bytes.size());
    barefxt_large_blob(BAREFXT_TEXT("work"), BAREFXT_TEXT("off"), bytes.data(), bytes.size());
    EXPECT_EQ(barefxt_unfinished(), 0u);
    const barefxt_stop_report report = barefxt_stop();
    EXPECT_EQ(report.recorded_records, 0u);
    EXPECT_EQ(report.lost_records, 0u);
    EXPECT_EQ(report.unfinished_records, 0u);
    EXPECT_EQ(lost_bytes(), 0u);
    EXPECT_FALSE(barefxt_running());
  };
  try_everything();
  start(1);
  barefxt_stop();
  try_everything();
  const PlainArchive archive = read(dump());
  EXPECT_TRUE(archive.of_type(4).empty());
}

TEST_F(LinearLossesTest, AFullRingStaysClosedWhenItIsStoppedAndCountsNoMore) {
  start(1);
  const uint32_t written = fill();
  for (int i = 0; i < 3; ++i) BAREFXT_INSTANT(work, "fill");
  barefxt_stop();
  Reservation reservation;
  EXPECT_FALSE(reserve_slowly(Owner::kCpu, 16, reservation));
  EXPECT_FALSE(reserve_slowly(Owner::kCpu, 16, reservation));
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.lost_records, 3u);
  EXPECT_EQ(report.recorded_records, written);
  EXPECT_EQ(report.unfinished_records, 0u);
  EXPECT_EQ(read(dump()).events("fill").size(), written);
}

TEST_F(LinearLossesTest, CategoriesCanBeChangedWhileItRecordsAndNotAfter) {
  start(2, BAREFXT_CATEGORY_BIT(sched));
  barefxt_context_switch(&b_, BAREFXT_STATE_BLOCKED, &a_);
  BAREFXT_INSTANT(work, "off");
  barefxt_set_categories(~0u);
  BAREFXT_INSTANT(work, "alpha's");
  barefxt_set_categories(BAREFXT_CATEGORY_BIT(work));
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &b_);
  BAREFXT_INSTANT(work, "whose");
  barefxt_stop();
  barefxt_set_categories(~0u);
  EXPECT_EQ(barefxt_enabled_categories, 0u);
  const PlainArchive archive = read(dump());
  EXPECT_TRUE(archive.events("off").empty());
  EXPECT_EQ(archive.events("alpha's").at(0).thread, 101u);
  EXPECT_EQ(archive.events("whose").at(0).thread, kCpu0);
}

}  // namespace
}  // namespace barefxt::test::linear_losses_test
