// Statistics and explanations take no more memory for a larger archive.
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

Usage usage_of(const char* verb, const std::string& path) {
  const pid_t child = Spawn()
                          .opens(STDOUT_FILENO, "/dev/null", O_WRONLY)
                          .start({BAREFXT_COMMAND, verb, "--json", path});
  int status = 0;
  rusage usage{};
  EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
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
    const Usage at_one = usage_of(verb, smaller.path());
    const Usage at_ten = usage_of(verb, larger.path());
    std::printf("%s: 1 million records: %.2f MB; 10 million: %.2f MB, %.2f million records/s\n",
                verb, at_one.memory / 1e6, at_ten.memory / 1e6,
                static_cast<double>(larger.records()) / 1e6 / at_ten.seconds);
    EXPECT_LT(at_ten.memory, 1.05 * at_one.memory) << verb;
  }
}

}  // namespace
}  // namespace barefxt::test::throughput_test
