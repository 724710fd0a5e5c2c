// Fifty rules at once cost no more than statistics do.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "build_kind.h"
#include "stats/busy_archive.h"

namespace barefxt::test::check_cost_test {
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
  const double statistics = instructions("stats --json", archive.path());
  const double checking = instructions("check --json " + rules, archive.path());
  std::filesystem::remove(rules);
  std::printf("stats %.0f, check of 50 rules %.0f instructions: %.3f times\n", statistics, checking,
              checking / statistics);
  EXPECT_LT(checking, 2 * statistics);
}

}  // namespace
}  // namespace barefxt::test::check_cost_test
