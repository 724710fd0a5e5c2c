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
  static const std::map<std::string, std::string> kBuilds = {
      {"aarch64", "Gcc"}, {"aarch64-clang", "Clang"}, {"aarch64-lse", "GccWithLse"}};
  static const std::map<std::string, std::string> kDumps = {
      {"uart", "Uart"}, {"text", "Text"}, {"semihosting", "Semihosting"}};
  return kBuilds.at(info.param.build) + "Over" + kDumps.at(info.param.dump);
}

TEST_P(DemoTest, TheArchiveSaysWhatTheKernelCounted) {
  // The text form differs only in the frames' coding, LSE only in one instruction: fewer runs.
  const bool variant = GetParam().dump == "text" || GetParam().build == "aarch64-lse";
  const int runs = variant ? 1 : BAREFXT_DEMO_RUNS;
  for (int i = 0; i < runs; ++i) {
    SCOPED_TRACE("run " + std::to_string(i));
    Boot options;
    options.build = GetParam().build;
    if (options.build == "aarch64-lse") options.cpu = "max";
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
                                           Way{"aarch64-clang", "semihosting"},
                                           Way{"aarch64-lse", "uart"}),
                         name_of);

}  // namespace
}  // namespace barefxt::test
