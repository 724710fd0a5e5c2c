// Refusals of an image without segments. None of them changes anything.

#include "linear_fixture.h"

namespace barefxt::test::linear_refusals_test {
namespace {

BAREFXT_CATEGORY(work, 3);

using LinearRefusalsTest = LinearTest;

TEST_F(LinearRefusalsTest, ItStartsOnce) {
  EXPECT_EQ(barefxt_session_number(), 0u);
  start();
  EXPECT_EQ(barefxt_session_number(), 1u);
  BAREFXT_INSTANT(work, "kept");
  const barefxt_config again = config(1);
  EXPECT_EQ(start_with(again), BAREFXT_ERROR_LEFT_OUT);
  EXPECT_TRUE(barefxt_running());
  barefxt_stop();
  EXPECT_EQ(start_with(again), BAREFXT_ERROR_LEFT_OUT);
  EXPECT_FALSE(barefxt_running());
  EXPECT_EQ(barefxt_session_number(), 1u);
  EXPECT_EQ(read(dump()).events("kept").size(), 1u);
}

TEST_F(LinearRefusalsTest, AStartThatIsRefusedSaysWhyAndLeavesEverythingAsItWas) {
  const barefxt_config sound = config(1);
  const auto refused = [&](auto change) {
    barefxt_config changed = sound;
    change(changed);
    const barefxt_error error = start_with(changed);
    EXPECT_FALSE(barefxt_running());
    EXPECT_EQ(barefxt_session_number(), 0u);
    EXPECT_EQ(barefxt_enabled_categories, 0u);
    EXPECT_EQ(dump_to_nobody(), BAREFXT_ERROR_NEVER_STARTED);
    return error;
  };
  EXPECT_EQ(refused([](auto& config) { config.mode = BAREFXT_MODE_CIRCULAR; }),
            BAREFXT_ERROR_LEFT_OUT);
  EXPECT_EQ(refused([](auto& config) { config.mode = BAREFXT_MODE_STREAMING; }),
            BAREFXT_ERROR_LEFT_OUT);
  EXPECT_EQ(refused([](auto& config) { config.cpus = 2; }), BAREFXT_ERROR_CPU_COUNT);
  EXPECT_EQ(refused([](auto& config) { config.cpus = 0; }), BAREFXT_ERROR_CPU_COUNT);
  for (unsigned by = 1; by < 8; ++by)
    EXPECT_EQ(
        refused([by](auto& config) { config.memory = static_cast<uint8_t*>(config.memory) + by; }),
        BAREFXT_ERROR_MISALIGNED);
  EXPECT_EQ(refused([](auto& config) { config.bytes = kSegmentBytes - 1; }),
            BAREFXT_ERROR_MEMORY_TOO_SMALL);
  EXPECT_EQ(refused([](auto& config) { config.bytes = 0; }), BAREFXT_ERROR_MEMORY_TOO_SMALL);
  barefxt_host_counter = [] { return uint64_t{1234}; };
  EXPECT_EQ(refused([](auto&) {}), BAREFXT_ERROR_COUNTER_STOPPED);
  barefxt_host_counter = [] {
    static uint64_t now = 0;
    return ++now;
  };
  EXPECT_EQ(start_with(sound), BAREFXT_OK);
}

TEST_F(LinearRefusalsTest, TheLeastMemoryHoldsTheLargestRecord) {
  start(1);
  const std::string bytes(kMaxRecordBytes - 3 * fxt::kWordBytes, 'b');
  BAREFXT_INSTANT(work, "largest", BAREFXT_ARG_BLOB("blob", bytes.data(), bytes.size()));
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(archive.events("largest").at(0).argument("blob")->text, bytes);
  EXPECT_EQ(taken(), kMaxRecordBytes);
}

TEST_F(LinearRefusalsTest, ADumpIsRefusedBeforeTheStartWhileItRecordsAndInOtherForms) {
  EXPECT_EQ(dump_to_nobody(), BAREFXT_ERROR_NEVER_STARTED);
  barefxt_stop();
  EXPECT_EQ(dump_to_nobody(), BAREFXT_ERROR_NEVER_STARTED);
  start();
  EXPECT_EQ(dump_to_nobody(), BAREFXT_ERROR_RUNNING);
  barefxt_stop();
  for (const barefxt_dump_form form :
       {BAREFXT_DUMP_TEXT, BAREFXT_DUMP_BINARY_CODED, BAREFXT_DUMP_TEXT_CODED})
    EXPECT_EQ(dump_to_nobody(form), BAREFXT_ERROR_LEFT_OUT);
  EXPECT_FALSE(dump().empty());
}

TEST_F(LinearRefusalsTest, AFullRingThatWasNotStoppedIsNotDumped) {
  start(1);
  fill();
  BAREFXT_INSTANT(work, "lost");
  EXPECT_TRUE(barefxt_running());
  EXPECT_EQ(dump_to_nobody(), BAREFXT_ERROR_RUNNING);
  EXPECT_EQ(barefxt_stop().lost_records, 1u);
  EXPECT_FALSE(barefxt_running());
}

TEST_F(LinearRefusalsTest, WhatTheImageDoesNotHaveIsRefused) {
  start();
  for (int stopped = 0; stopped < 2; ++stopped) {
    BAREFXT_INSTANT(work, "kept");
    EXPECT_EQ(barefxt_rewind(), BAREFXT_ERROR_LEFT_OUT);
    EXPECT_EQ(barefxt_snapshot(), BAREFXT_ERROR_LEFT_OUT);
    barefxt_snapshot_release();
    const barefxt_writer nobody = {[](void*, const uint8_t*, size_t) { FAIL(); }, nullptr};
    EXPECT_EQ(barefxt_dump_fxt(&nobody), BAREFXT_ERROR_LEFT_OUT);
    uint8_t buffer[BAREFXT_DRAIN_BYTES];
    EXPECT_EQ(barefxt_drain(buffer, sizeof buffer, BAREFXT_DUMP_BINARY), 0u);
    EXPECT_TRUE(barefxt_drain_is_over());
    EXPECT_EQ(barefxt_clock_changed(1000, 5), BAREFXT_ERROR_LEFT_OUT);
    EXPECT_EQ(barefxt_clock_sync(1, 1000), BAREFXT_OK);
    barefxt_stop();
  }
  EXPECT_EQ(read(dump()).events("kept").size(), 1u);
}

}  // namespace
}  // namespace barefxt::test::linear_refusals_test
