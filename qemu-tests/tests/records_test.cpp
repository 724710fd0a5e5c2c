// Every record, argument and reference of the format: written on the target, from C++ and from C,
// and read on the host.

#include <gtest/gtest.h>

#include "events.h"
#include "every_record_check.h"
#include "qemu.h"
#include "tally_lines.h"
#include "targets.h"

namespace barefxt::test {
namespace {

class RecordsTest : public ::testing::TestWithParam<Image> {};
using UnframedTest = RecordsTest;

TEST_P(RecordsTest, EveryRecordWrittenOnTheTargetIsReadOnTheHost) {
  const Booted run = boot({.build = GetParam().build, .arguments = "mode=records dump=uart"});
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << read_file(run.uart);
  const Output rebuilt = barefxt("rebuild " + run.uart + " -o " + run.file("t.fxt"));
  ASSERT_EQ(rebuilt.status, 0) << rebuilt.err;
  EXPECT_EQ(compare_with_every_record(read_archive(run.file("t.fxt")), BAREFXT_EVERY_RECORD), "");
  const Output lint = barefxt("lint " + run.file("t.fxt"));
  EXPECT_EQ(lint.status, 0) << lint.out;
}

TEST_P(UnframedTest, ATraceThatTheTargetWritesWithoutFramesSaysTheSame) {
  const Booted run = boot({.build = GetParam().build, .arguments = "mode=records dump=fxt"});
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << read_file(run.uart);
  // The host adds the thread that woke another, as `rebuild` does.
  const Output converted =
      barefxt("convert --to fxt " + run.file("trace.bin") + " -o " + run.file("t.fxt"));
  ASSERT_EQ(converted.status, 0) << converted.err;
  EXPECT_EQ(compare_with_every_record(read_archive(run.file("t.fxt")), BAREFXT_EVERY_RECORD), "");
}

TEST_P(UnframedTest, ATraceWithoutFramesReportsTheLosses) {
  const Booted run = boot({.build = GetParam().build, .arguments = "mode=full seconds=1 dump=fxt"});
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << read_file(run.uart);
  const Tally tally = read_tally(read_file(run.uart));
  EXPECT_GT(tally.reported_lost, 0u);
  const RecordCounts counts = count_records(read_archive(run.file("trace.bin")));
  EXPECT_EQ(counts.recorded, tally.reported_recorded);
  EXPECT_EQ(counts.lost, tally.reported_lost);
}

BAREFXT_TEST_IMAGES(RecordsTest, Portion::kSample);
BAREFXT_TEST_IMAGES(UnframedTest, Portion::kAll, all_images(), kOneOfEachKind);

}  // namespace
}  // namespace barefxt::test
