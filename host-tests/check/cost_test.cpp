// Fifty rules at once cost no more than statistics do.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "build_kind.h"
#include "speed/command_instructions.h"
#include "stats/busy_archive.h"

namespace barefxt::test::check_cost_test {
namespace {

TEST(CheckCost, OfFiftyRulesIsAtMostTwiceThatOfStatistics) {
  if (kSanitized || !kOptimized) GTEST_SKIP() << "only the code as it is delivered is measured";
  const std::string rules = (std::filesystem::temp_directory_path() /
                             ("barefxt-rules-" + std::to_string(::getpid()) + ".txt"))
                                .string();
  {
    std::ofstream file(rules);
    // They are about what the archive is full of, and none is violated: explanations read it again.
    for (int i = 0; i < 10; ++i) {
      file << "after irq \"timer\" within " << 10 + i << "s irq \"timer\" ends\n"
           << "never thread \"" << 1020 + i << "\" runs while irq \"other\"\n"
           << "slice \"" << (i % 2 == 0 ? "work" : "step") << "\" lasts < " << 1 + i << "s\n"
           << "counter \"*\" < " << 1000000000 + i << " always\n"
           << "flow \"*\" end to end p99 < " << 8 + i << "s\n";
    }
  }
  const BusyArchive archive(100'000);
  const double statistics = command_instructions("stats --json", archive.path());
  const double checking = command_instructions("check --json " + rules, archive.path());
  std::filesystem::remove(rules);
  std::printf("stats %.0f, check of 50 rules %.0f instructions: %.3f times\n", statistics, checking,
              checking / statistics);
  EXPECT_LT(checking, 2 * statistics);
}

}  // namespace
}  // namespace barefxt::test::check_cost_test
