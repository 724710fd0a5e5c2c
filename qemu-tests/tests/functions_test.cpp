// Calls of functions: the kernel is compiled with -finstrument-functions, and the archive has as
// many calls of each as the kernel counted, on the threads that made them.

#include <gtest/gtest.h>
#include <sstream>

#include "events.h"
#include "function_calls.h"
#include "qemu.h"
#include "tally_lines.h"
#include "targets.h"

namespace barefxt::test {
namespace {

constexpr const char* kImage = "kernel_functions";

class FunctionsTest : public ::testing::TestWithParam<Image> {};

TEST_P(FunctionsTest, TheArchiveHasAsManyCallsAsTheKernelCounted) {
  Boot options;
  options.build = GetParam().build;
  options.image = kImage;
  options.arguments = "seconds=1 workers=60 dump=uart";
  const Booted run = boot(options);
  const std::string console = read_file(run.uart);
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << console.substr(0, 2000);
  const Output rebuilt = barefxt("rebuild " + run.uart + " --elf " +
                                 image_path(GetParam().build, kImage) + " -o " + run.file("t.fxt"));
  ASSERT_EQ(rebuilt.status, 0) << rebuilt.err;

  const Tally tally = read_tally(console);
  ASSERT_TRUE(tally.complete);
  ASSERT_EQ(tally.reported_lost, 0u);
  const std::vector<Json> archive = read_archive(run.file("t.fxt"));
  std::map<std::string, uint64_t> begins = begins_by_function(archive);
  ASSERT_EQ(tally.calls.size(), 5u);
  for (const auto& [function, count] : tally.calls) {
    EXPECT_GT(count, 0u) << function;
    EXPECT_EQ(begins[function], count) << function;
  }

  // Probes and calls nest in each other, and no end lacks its begin. What was open at the stop has
  // no end.
  const Output lint = barefxt("lint " + run.file("t.fxt"));
  std::istringstream findings(lint.out);
  for (std::string finding; std::getline(findings, finding);)
    EXPECT_TRUE(finding.find("[duration-unmatched-begin]") != std::string::npos ||
                finding.find("[tick-precision]") != std::string::npos)
        << finding;
}

TEST_P(FunctionsTest, LlvmsToolsReadTheCallsByName) {
  Boot options;
  options.build = GetParam().build;
  options.image = kImage;
  options.arguments = "seconds=1 workers=60 dump=uart";
  const Booted run = boot(options);
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log"));
  const std::string image = image_path(GetParam().build, kImage);
  const std::string archive = run.file("t.fxt");
  const std::string map = run.file("mapped.elf");
  const std::string log = run.file("t.fdr");
  ASSERT_EQ(barefxt("rebuild " + run.uart + " --elf " + image + " -o " + archive).status, 0);
  ASSERT_EQ(barefxt("convert " + image + " --to xray-elf -o " + map).status, 0);
  const Tally tally = read_tally(read_file(run.uart));
  for (const std::string version : {"1", "3", "5"}) {
    SCOPED_TRACE("version " + version);
    const Output converted = barefxt("convert " + archive + " --to fdr --fdr-version " + version +
                                     " --elf " + map + " -o " + log);
    ASSERT_EQ(converted.status, 0) << converted.err;
    for (const std::string tool : {"account", "stack", "graph"}) {
      const Output accepted = run_command("llvm-xray-19 " + tool + " " + log + " -m " + map);
      EXPECT_EQ(accepted.status, 0) << tool << ": " << accepted.err;
    }
    EXPECT_EQ(run_command("llvm-xray-19 fdr-dump -verify " + log).status, 0);
    const Output yaml =
        run_command("llvm-xray-19 convert " + log + " -m " + map + " -symbolize -f yaml");
    ASSERT_EQ(yaml.status, 0) << yaml.err;
    std::map<std::string, uint64_t> entries = entries_by_function(yaml.out);
    for (const auto& [function, count] : tally.calls)
      EXPECT_EQ(entries[function], count) << function;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, FunctionsTest,
                         ::testing::ValuesIn(images_of({BAREFXT_FUNCTION_TARGETS})), name_of_image);

}  // namespace
}  // namespace barefxt::test
