// Instructions per record, counted by the kernel itself under -icount, where they are exact.

#include <fstream>
#include <gtest/gtest.h>

#include "events.h"
#include "qemu.h"
#include "tally_lines.h"

namespace barefxt::test {
namespace {

std::map<std::string, double> measure(const std::string& build) {
  Boot options;
  options.build = build;
  options.machine = "-smp 1 -icount shift=4,sleep=off";
  options.arguments = "mode=cost dump=none";
  const Booted run = boot(options);
  EXPECT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << read_file(run.uart);
  return read_costs(read_file(run.uart));
}

TEST(CostTest, ContextSwitchTakesAtMostSixtyInstructions) {
  Json list = Json::array();
  for (const std::string build : {"aarch64", "aarch64-clang"}) {
    const auto costs = measure(build);
    const std::string compiler = build == "aarch64" ? "gcc" : "clang";
    ASSERT_EQ(costs.count("context_switch"), 1u);
    EXPECT_LE(costs.at("context_switch"), 60) << compiler;
    EXPECT_GE(costs.at("context_switch"), 20) << "fewer than the protocol needs: a wrong count";
    EXPECT_LE(costs.at("disabled_probe"), 4) << compiler;
    for (const auto& [record, instructions] : costs)
      list.push_back({{"target", "aarch64"},
                      {"compiler", compiler},
                      {"record", record},
                      {"instructions", instructions},
                      {"masked_instructions", 0}});
  }
  // The same program counts the same.
  EXPECT_EQ(measure("aarch64"), measure("aarch64"));
  std::ofstream(std::string(BAREFXT_IMAGES_DIR) + "/costs.json") << list.dump(2) << "\n";
  for (const Json& entry : list)
    std::printf("%-8s %-32s %s\n", entry["compiler"].get<std::string>().c_str(),
                entry["record"].get<std::string>().c_str(), entry["instructions"].dump().c_str());
}

}  // namespace
}  // namespace barefxt::test
