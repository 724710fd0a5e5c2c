// Each CPU has a counter of its own. Measured offsets outlive a reset with the trace, as do changes
// of the clock.

#include <gtest/gtest.h>

#include <barefxt/clock.h>

#include "machine.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test::recover_clocks_test {
namespace {

BAREFXT_CATEGORY(work, 3);

constexpr uint64_t kOffset = 7'000'000'000;

class RecoverClocksTest : public ::testing::Test {
 protected:
  static void measure(uint64_t offset, uint64_t error) {
    const uint64_t words[ClockOffset::kWords] = {offset, error};
    publish_clock_offset(1, words);
  }
  // A boot that records on both CPUs, CPU 1 first, and is then reset.
  template <typename Work>
  void boot(const Work& while_recording) {
    ASSERT_TRUE(machine_.boot([&, this] {
      barefxt_recover();
      measure(kOffset, 5);
      const barefxt_config config = machine_.config();
      barefxt_start(&config);
      while_recording();
      barefxt_host_cpu = 1;
      BAREFXT_INSTANT(work, "n", BAREFXT_ARG_U32("i", 1));
      barefxt_host_cpu = 0;
      BAREFXT_INSTANT(work, "n", BAREFXT_ARG_U32("i", 0));
    }));
  }
  // The next boot, which has measured something else by then.
  Rebuilt recover(barefxt_dump_form form) {
    EXPECT_TRUE(machine_.boot([=, this] {
      EXPECT_EQ(barefxt_recover(), BAREFXT_RECOVERED_WHOLE);
      measure(3, 1);
      const barefxt_writer line = machine_.line();
      barefxt_recovered_dump(&line, form);
    }));
    return rebuild(machine_.sent());
  }
  // The lead of CPU 1's record over CPU 0's, which came after it.
  static uint64_t lead(const Rebuilt& rebuilt) {
    uint64_t times[2] = {};
    for (const PlainRecord& event : decode_plainly(rebuilt.archive).events("n"))
      times[event.argument("i")->bits] = event.timestamp;
    return times[1] - times[0];
  }

  Machine machine_;
};

TEST_F(RecoverClocksTest, WhatWasMeasuredBeforeTheResetHoldsForItsTrace) {
  boot([] {});
  const Rebuilt rebuilt = recover(BAREFXT_DUMP_BINARY);
  EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
  EXPECT_LE(lead(rebuilt), kOffset);
  EXPECT_GT(lead(rebuilt), kOffset / 2);
}

TEST_F(RecoverClocksTest, WhatWasMeasuredWhileItRecordedHoldsToo) {
  boot([] { measure(2 * kOffset, 5); });
  const Rebuilt rebuilt = recover(BAREFXT_DUMP_TEXT);
  EXPECT_LE(lead(rebuilt), 2 * kOffset);
  EXPECT_GT(lead(rebuilt), kOffset);
}

TEST_F(RecoverClocksTest, AResetInTheMiddleOfAMeasurementLeavesItUnknown) {
  boot([] {});
  machine_.retained(stored_clock_offsets[1]).error = StoredClockOffset::kUnknownError;
  const Rebuilt rebuilt = recover(BAREFXT_DUMP_BINARY);
  EXPECT_TRUE(rebuilt.reports("clock")) << rebuilt.messages;
}

}  // namespace
}  // namespace barefxt::test::recover_clocks_test
