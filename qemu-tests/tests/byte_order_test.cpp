// One kernel on one machine in either byte order: it counts the same. demo_test looks at the
// archive of a capture in either order.

#include <gtest/gtest.h>

#include "qemu.h"
#include "tally_lines.h"
#include "targets.h"

namespace barefxt::test {
namespace {

// The same sources for the other order, on a CPU that counts its instructions as time: the kernel
// does the same, and counts the same. Not to the instruction, since registers of devices and bytes
// of words are turned around in one of the two: where a tick of the timer comes just before a
// thread blocks in the one, and just behind that in the other, it preempts the thread in one of
// them only. So all is the same but the order of switches, and how many of them are preemptions.
class OtherByteOrderTest : public ::testing::TestWithParam<Image> {
 protected:
  static Tally count(const std::string& build) {
    const Booted run = boot({.build = build, .arguments = "seconds=1 dump=none", .counting = true});
    EXPECT_EQ(run.status, 0) << read_file(run.file("qemu.log"));
    return read_tally(read_file(run.uart));
  }
};

TEST_P(OtherByteOrderTest, TheKernelCountsTheSameInEitherOrder) {
  constexpr size_t kSuffix = sizeof "_be" - 1;
  std::string little = GetParam().build;
  little.erase(little.find("_be"), kSuffix);
  const Tally mine = count(GetParam().build);
  const Tally other = count(little);
  ASSERT_TRUE(mine.complete && other.complete);
  EXPECT_GT(mine.records, 1000u);
  const auto without_switches = [](const Tally& tally) {
    return tally.records - tally.switches.at(0).count;
  };
  EXPECT_EQ(without_switches(mine), without_switches(other));
  EXPECT_EQ(mine.events, other.events);
  EXPECT_EQ(mine.interrupts, other.interrupts);  // with their order
  EXPECT_EQ(mine.messages, other.messages);      // likewise
  EXPECT_EQ(mine.wakeups.at(0).count, other.wakeups.at(0).count);
  EXPECT_EQ(mine.processes, other.processes);
  EXPECT_EQ(mine.created, other.created);
}

BAREFXT_TEST_IMAGES(OtherByteOrderTest, Portion::kSample, images_of({"aarch64_be"}));

}  // namespace
}  // namespace barefxt::test
