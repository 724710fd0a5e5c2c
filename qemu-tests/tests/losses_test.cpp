// Rings too small for the run: dropped and overwritten records are counted, and the archive reports
// the counts.

#include <gtest/gtest.h>

#include "comparison.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test {
namespace {

class LossesTest : public ::testing::TestWithParam<Image> {};
using OverwritingTest = LossesTest;

void expect_all_accounted_for(const Image& image, const std::string& mode,
                              const std::string& more = {}) {
  const Booted run =
      boot({.build = image.build, .arguments = "mode=" + mode + " seconds=1 dump=uart " + more});
  const std::string console = read_file(run.uart);
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log"));
  const Output rebuilt = barefxt("rebuild " + run.uart + " -o " + run.file("t.fxt"));
  // The target's drops are no failure.
  EXPECT_EQ(rebuilt.status, 0) << rebuilt.err;

  const Tally tally = read_tally(console);
  ASSERT_TRUE(tally.complete);
  EXPECT_GT(tally.reported_lost, 0u);
  EXPECT_EQ(tally.reported_recorded + tally.reported_lost, tally.records);

  const RecordCounts counts = count_records(read_archive(run.file("t.fxt")));
  EXPECT_EQ(counts.recorded, tally.reported_recorded);
  EXPECT_EQ(counts.lost, tally.reported_lost);
  EXPECT_GT(counts.provider_events, 0u);
}

TEST_P(LossesTest, RecordedAndDroppedAddUpToWhatTheKernelAttempted) {
  expect_all_accounted_for(GetParam(), "full");
}

TEST_P(OverwritingTest, RecordedAndOverwrittenAddUpToWhatTheKernelAttempted) {
  expect_all_accounted_for(GetParam(), "circular");
}

// The rings are too small for what happens between two looks at them.
TEST_P(LossesTest, StreamedAndDroppedAddUpToWhatTheKernelAttempted) {
  expect_all_accounted_for(GetParam(), "streaming", "ring=12288 workers=60 pause=200");
}

BAREFXT_TEST_IMAGES(LossesTest, Portion::kAll, all_images(), kOneOfEachKind);
BAREFXT_TEST_IMAGES(OverwritingTest, Portion::kAll, all_images(), kOneOfEachKind);

}  // namespace
}  // namespace barefxt::test
