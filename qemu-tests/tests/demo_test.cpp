// The main job: the kernel runs traced on four CPUs, and the archive says what the kernel counted.

#include <gtest/gtest.h>

#include "comparison.h"
#include "qemu.h"

namespace barefxt::test {
namespace {

struct Way {
  std::string build;
  std::string dump;
};

class DemoTest : public ::testing::TestWithParam<Way> {};

std::string name_of(const ::testing::TestParamInfo<Way>& info) {
  return (info.param.build == "aarch64" ? "Gcc" : "Clang") + std::string("Over") +
         (info.param.dump == "uart"   ? "Uart"
          : info.param.dump == "text" ? "Text"
                                      : "Semihosting");
}

TEST_P(DemoTest, TheArchiveSaysWhatTheKernelCounted) {
  // The text form is a third longer and differs only in the frames' coding: fewer runs.
  const int runs = GetParam().dump == "text" ? 1 : BAREFXT_DEMO_RUNS;
  for (int i = 0; i < runs; ++i) {
    SCOPED_TRACE("run " + std::to_string(i));
    Boot options;
    options.build = GetParam().build;
    options.arguments = "seconds=2 dump=" + GetParam().dump;
    const Booted run = boot(options);
    const std::string console = read_file(run.uart);
    ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << console.substr(0, 2000);
    const std::string capture = GetParam().dump == "semihosting" ? run.file("trace.bin") : run.uart;
    const Output rebuilt = barefxt("rebuild " + capture + " -o " + run.file("trace.fxt"));
    ASSERT_EQ(rebuilt.status, 0) << rebuilt.err;

    const Tally tally = read_tally(console);
    EXPECT_EQ(tally.reported_lost, 0u);
    EXPECT_EQ(tally.reported_unfinished, 0u);
    EXPECT_GE(tally.created, 300u);
    EXPECT_GT(tally.migrations, 0u);
    EXPECT_EQ(tally.cpus, 4u);
    EXPECT_EQ(tally.processes.size(), 3u);
    EXPECT_FALSE(tally.brackets.empty());
    const std::vector<std::string> differences =
        compare(tally, read_archive(run.file("trace.fxt")));
    EXPECT_TRUE(differences.empty()) << join(differences);

    // Every rule of the format, and of the importer of Perfetto, is one of lint's.
    const Output lint = barefxt("lint " + run.file("trace.fxt"));
    EXPECT_EQ(lint.status, 0) << lint.out << lint.err;
    if (HasFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(AArch64, DemoTest,
                         ::testing::Values(Way{"aarch64", "uart"}, Way{"aarch64", "semihosting"},
                                           Way{"aarch64", "text"}, Way{"aarch64-clang", "uart"},
                                           Way{"aarch64-clang", "semihosting"}),
                         name_of);

}  // namespace
}  // namespace barefxt::test
