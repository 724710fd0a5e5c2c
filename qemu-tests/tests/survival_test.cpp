// Traces that leave in other ways than by a dump at the end: streamed while the kernel runs, and
// found by the next boot after a reset. Either way the archive has what the kernel counted.

#include <gtest/gtest.h>

#include "comparison.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test {
namespace {

class SurvivalTest : public ::testing::TestWithParam<Image> {
 protected:
  // Boots in this mode, and compares the archive with the kernel's tally.
  void expect_archive_as_counted(const std::string& mode) {
    const Booted run =
        boot({.build = GetParam().build, .arguments = "mode=" + mode + " seconds=1 dump=uart"});
    console_ = read_file(run.uart);
    ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << console_.substr(0, 2000);
    const Output rebuilt = barefxt("rebuild " + run.uart + " -o " + run.file("trace.fxt"));
    messages_ = rebuilt.err;
    ASSERT_EQ(rebuilt.status, 0) << rebuilt.err;
    const Tally tally = read_tally(console_);
    ASSERT_TRUE(tally.complete);
    EXPECT_EQ(tally.reported_lost, 0u);
    const std::vector<std::string> differences =
        compare(tally, read_archive(run.file("trace.fxt")));
    EXPECT_TRUE(differences.empty()) << join(differences);
    const Output lint = barefxt("lint " + run.file("trace.fxt"));
    EXPECT_EQ(lint.status, 0) << lint.out << lint.err;
  }

  std::string console_;
  std::string messages_;
};

// Streams and the coder are the same for all.
using StreamTest = SurvivalTest;
using CodedSurvivalTest = SurvivalTest;

TEST_P(StreamTest, AStreamSaysWhatTheKernelCounted) { expect_archive_as_counted("streaming"); }

TEST_P(CodedSurvivalTest, CodedWaysOutSayTheSame) {
  expect_archive_as_counted("streaming coded=1");
  expect_archive_as_counted("reset coded=1");
}

TEST_P(SurvivalTest, AfterAResetTheNextBootFindsAllThatWasCommitted) {
  expect_archive_as_counted("reset");
  EXPECT_TRUE(contains(console_, "RECOVERED whole"));
  EXPECT_TRUE(contains(messages_, "before the reset"));
}

BAREFXT_TEST_IMAGES(StreamTest, Portion::kAll, all_images(), kOneOfEachKind);
BAREFXT_TEST_IMAGES(CodedSurvivalTest, Portion::kAll, one_for_each_target(), kOneOfEachKind);
BAREFXT_TEST_IMAGES(SurvivalTest, Portion::kAll, all_images(), kOneOfEachKind);

}  // namespace
}  // namespace barefxt::test
