// Statistics and explanations take no more memory for a larger archive, and a page no more than it
// may.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build_kind.h"
#include "busy_archive.h"
#include "capture/start_program.h"

namespace barefxt::test::throughput_test {
namespace {

struct Usage {
  double memory;   // resident at most, bytes
  double seconds;  // of the processor
};

Usage usage_of(const std::vector<std::string>& arguments, int wanted = 0) {
  const pid_t child = Spawn().opens(STDOUT_FILENO, "/dev/null", O_WRONLY).start(arguments);
  int status = 0;
  rusage usage{};
  EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), wanted);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return {static_cast<double>(peak_of(usage)), seconds(usage.ru_utime) + seconds(usage.ru_stime)};
}

TEST(StatisticsThroughput, MemoryAtTenMillionRecordsIsThatAtOneMillion) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's own memory would count";
  const BusyArchive smaller(1'000'000);
  const BusyArchive larger(10'000'000);
  for (const char* verb : {"stats", "explain"}) {
    const Usage at_one = usage_of({BAREFXT_COMMAND, verb, "--json", smaller.path()});
    const Usage at_ten = usage_of({BAREFXT_COMMAND, verb, "--json", larger.path()});
    std::printf("%s: 1 million records: %.2f MB; 10 million: %.2f MB, %.2f million records/s\n",
                verb, at_one.memory / 1e6, at_ten.memory / 1e6,
                static_cast<double>(larger.records()) / 1e6 / at_ten.seconds);
    EXPECT_LT(at_ten.memory, 1.05 * at_one.memory) << verb;
  }
}

// Hardly fewer records than a page can draw, and in full runs many more.
TEST(ReportThroughput, APageOfAllThatCanBeDrawnTakesLessThan300MB) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's own memory would count";
  const std::string page = ::testing::TempDir() + "throughput.html";
  for (const uint64_t records : {3'000'000, 10'000'000}) {
    const bool is_all_drawn = records == 3'000'000;
    if (!is_all_drawn && !is_full_run()) continue;
    const BusyArchive archive(records);
    const int incomplete = 3;
    const Usage usage = usage_of({BAREFXT_COMMAND, "report", archive.path(), "-o", page},
                                 is_all_drawn ? 0 : incomplete);
    std::printf("report: %.1f million records: %.1f MB, %.1f s\n",
                static_cast<double>(archive.records()) / 1e6, usage.memory / 1e6, usage.seconds);
    EXPECT_LT(usage.memory, 300e6);
  }
  std::remove(page.c_str());
}

}  // namespace
}  // namespace barefxt::test::throughput_test
