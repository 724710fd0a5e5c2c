// The main job: the kernel runs traced on all CPUs, and the archive has what the kernel counted.

#include <gtest/gtest.h>

#include "byte_order.h"
#include "comparison.h"
#include "qemu.h"
#include "targets.h"
#include "wire_cost.h"

namespace barefxt::test {
namespace {

constexpr const char* kUart = "uart";
constexpr const char* kCoded = "uart coded=1";

struct Way {
  Image image;
  std::string dump;
};

void PrintTo(const Way& way, std::ostream* out) { *out << way.image.build << " " << way.dump; }

// Returns the ways of the default run, or the others. Each image has its records coded, since their
// bytes on the line are noted for each. Dumps by file and as text do not depend on the compiler, so
// one image of each target makes them. Plain frames and the text form are the same code on each.
std::vector<Way> ways(bool by_default) {
  std::vector<Way> ways;
  const auto add = [&](Portion least, const char* dump, const std::vector<Image>& images,
                       const std::vector<std::string>& targets = {}) {
    for (const Image& image : by_default ? images_by_default(least, images, targets)
                                         : images_in_full(least, images, targets))
      ways.push_back({image, dump});
  };
  add(Portion::kCosts, kCoded, all_images());
  add(Portion::kAll, kUart, all_images(), kOneOfEachKind);
  add(Portion::kAll, "file", one_for_each_target(), kOneOfEachKind);
  add(Portion::kAll, "text", one_for_each_target(), kOneOfEachKind);
  return ways;
}

// A full run has one image more often, to meet rare cases. The others show that the same holds
// there.
int runs_of(const Way& way) {
  const bool is_that = way.image.build == "aarch64" && way.dump == kUart;
  return is_that && is_full_run() ? BAREFXT_DEMO_RUNS : 1;
}

class DemoTest : public ::testing::TestWithParam<Way> {};

std::string name_of(const ::testing::TestParamInfo<Way>& info) {
  static const std::map<std::string, std::string> kDumps = {
      {kUart, "Uart"}, {"text", "Text"}, {"file", "File"}, {kCoded, "UartCoded"}};
  return test_name(info.param.image) + "Over" + kDumps.at(info.param.dump);
}

TEST_P(DemoTest, TheArchiveSaysWhatTheKernelCounted) {
  for (int i = 0; i < runs_of(GetParam()); ++i) {
    SCOPED_TRACE("run " + std::to_string(i));
    const Booted run = boot({.build = GetParam().image.build,
                             .arguments = "seconds=1 dump=" + GetParam().dump,
                             .checks_cpus = GetParam().dump == kCoded});
    const std::string console = read_file(run.uart);
    ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << console.substr(0, 2000);
    const std::string capture = GetParam().dump == "file" ? run.file("trace.bin") : run.uart;
    const Output rebuilt = barefxt("rebuild " + capture + " -o " + run.file("trace.fxt"));
    ASSERT_EQ(rebuilt.status, 0) << rebuilt.err;

    const Tally tally = read_tally(console);
    EXPECT_EQ(tally.reported_lost, 0u);
    EXPECT_EQ(tally.reported_unfinished, 0u);
    EXPECT_GE(tally.created, 300u);
    EXPECT_EQ(tally.migrations > 0, GetParam().image.cpus > 1);
    EXPECT_EQ(tally.cpus, GetParam().image.cpus);
    EXPECT_EQ(tally.processes.size(), 3u);
    EXPECT_FALSE(tally.brackets.empty());
    const std::vector<std::string> differences =
        compare(tally, read_archive(run.file("trace.fxt")));
    EXPECT_TRUE(differences.empty()) << join(differences);

    // Every rule of the format, and of the importer of Perfetto, is one of lint's.
    const Output lint = barefxt("lint " + run.file("trace.fxt"));
    EXPECT_EQ(lint.status, 0) << lint.out << lint.err;
    // Nothing is wrong with the way in which the demo is built.
    const Output doctor = barefxt("doctor " + capture);
    EXPECT_EQ(doctor.status, 0) << doctor.out << doctor.err;
    if (GetParam().dump == kUart) expect_the_same_in_either_order(GetParam().image, run);
    if (GetParam().dump == kCoded) expect_few_bytes_on_the_line(GetParam().image, run);
    if (HasFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, DemoTest, ::testing::ValuesIn(ways(true)), name_of);
INSTANTIATE_TEST_SUITE_P(Full, DemoTest, ::testing::ValuesIn(ways(false)), name_of);

}  // namespace
}  // namespace barefxt::test
