// Explaining costs little more than statistics, and no more memory for a larger archive.
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build_kind.h"
#include "start_program.h"
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

double memory_of(const std::string& path) {
  const pid_t child = Spawn()
                          .opens(STDOUT_FILENO, "/dev/null", O_WRONLY)
                          .start({BAREFXT_COMMAND, "explain", "--json", path});
  int status = 0;
  rusage usage{};
  EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  return static_cast<double>(peak_of(usage));
}

TEST(ExplainCost, MemoryAtTenMillionRecordsIsThatAtTwoMillion) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's own memory would count";
  const BusyArchive smaller(2'000'000);
  const BusyArchive larger(10'000'000);
  const double at_two = memory_of(smaller.path());
  const double at_ten = memory_of(larger.path());
  std::printf("2 million records: %.2f MB; 10 million: %.2f MB\n", at_two / 1e6, at_ten / 1e6);
  EXPECT_LT(at_ten, 1.05 * at_two);
}

}  // namespace
}  // namespace barefxt::test::explain_cost_test
