// Explaining costs little more than statistics.
#include <cstdio>
#include <gtest/gtest.h>

#include "build_kind.h"
#include "speed/command_instructions.h"
#include "stats/busy_archive.h"

namespace barefxt::test::explain_cost_test {
namespace {

TEST(ExplainCost, IsAtMostOneAndAHalfTimesThatOfStatistics) {
  if (kSanitized || !kOptimized) GTEST_SKIP() << "only the code as it is delivered is measured";
  const BusyArchive archive(100'000);
  const double statistics = command_instructions("stats --json", archive.path());
  const double explaining = command_instructions("explain --json --worst 10", archive.path());
  std::printf("stats %.0f, explain %.0f instructions: %.3f times\n", statistics, explaining,
              explaining / statistics);
  EXPECT_LT(explaining, 1.5 * statistics);
}

}  // namespace
}  // namespace barefxt::test::explain_cost_test
