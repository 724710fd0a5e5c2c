// Explaining costs little more than statistics.
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

#include "build_kind.h"
#include "stats/busy_archive.h"

namespace barefxt::test::explain_cost_test {
namespace {

double instructions(const std::string& verb, const std::string& path) {
  const std::string line =
      "valgrind --tool=callgrind --callgrind-out-file=/dev/null " BAREFXT_COMMAND " " + verb + " " +
      path + " 2>&1 >/dev/null";
  std::string output;
  std::FILE* pipe = ::popen(line.c_str(), "r");
  char part[4096];
  while (const size_t got = std::fread(part, 1, sizeof part, pipe)) output.append(part, got);
  ::pclose(pipe);
  const std::string word = "Collected : ";
  const size_t at = output.find(word);
  EXPECT_NE(at, std::string::npos) << output;
  return at == std::string::npos ? 0 : std::atof(output.c_str() + at + word.size());
}

TEST(ExplainCost, IsAtMostOneAndAHalfTimesThatOfStatistics) {
  if (kSanitized || !kOptimized) GTEST_SKIP() << "only the code as it is delivered is measured";
  const BusyArchive archive(100'000);
  const double statistics = instructions("stats --json", archive.path());
  const double explaining = instructions("explain --json --worst 10", archive.path());
  std::printf("stats %.0f, explain %.0f instructions: %.3f times\n", statistics, explaining,
              explaining / statistics);
  EXPECT_LT(explaining, 1.5 * statistics);
}

}  // namespace
}  // namespace barefxt::test::explain_cost_test
