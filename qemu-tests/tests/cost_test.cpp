// Instructions per record, counted by the kernel itself under -icount, where they are exact.

#include <fstream>
#include <gtest/gtest.h>

#include "events.h"
#include "qemu.h"
#include "tally_lines.h"
#include "targets.h"

namespace barefxt::test {
namespace {

class CostTest : public ::testing::TestWithParam<Image> {};

std::map<std::string, double> measure(const Image& image) {
  Boot options;
  options.build = image.build;
  options.counting = true;
  options.arguments = "mode=cost dump=none";
  const Booted run = boot(options);
  EXPECT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << read_file(run.uart);
  return read_costs(read_file(run.uart));
}

// Replaces what the file of costs says of this image, and leaves the others'. Only one test at a
// time does so, see RESOURCE_LOCK in CMakeLists.txt.
void note(const Image& image, const std::map<std::string, double>& costs) {
  const std::string path = std::string(BAREFXT_IMAGES_DIR) + "/costs.json";
  Json list = Json::array();
  const Json before = Json::parse(read_file(path), nullptr, false);
  if (before.is_array()) {
    for (const Json& entry : before) {
      if (entry.value("target", "") != image.target ||
          entry.value("compiler", "") != image.compiler)
        list.push_back(entry);
    }
  }
  for (const auto& [record, instructions] : costs) {
    list.push_back({{"target", image.target},
                    {"compiler", image.compiler},
                    {"record", record},
                    {"instructions", instructions},
                    {"masked_instructions", 0}});
    std::printf("%-32s %g\n", record.c_str(), instructions);
  }
  write_file(path, list.dump(2) + "\n");
}

TEST_P(CostTest, ContextSwitchTakesAtMostSixtyInstructions) {
  const auto costs = measure(GetParam());
  ASSERT_EQ(costs.count("context_switch"), 1u);
  EXPECT_LE(costs.at("context_switch"), 60);
  EXPECT_GE(costs.at("context_switch"), 20) << "fewer than the protocol needs: a wrong count";
  EXPECT_LE(costs.at("disabled_probe"), 4);
  // The same program counts the same.
  EXPECT_EQ(measure(GetParam()), costs);
  note(GetParam(), costs);
}

INSTANTIATE_TEST_SUITE_P(Targets, CostTest, ::testing::ValuesIn(all_images()), name_of_image);

}  // namespace
}  // namespace barefxt::test
