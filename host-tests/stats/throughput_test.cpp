// Statistics take no more memory for a larger archive, and so many times the least that any reader
// of it takes; the absolute figures are printed.
#include <ctime>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <barefxt/host/stats.h>

#include "build_kind.h"
#include "busy_archive.h"

namespace barefxt::test {
namespace {

struct Usage {
  double memory;   // resident at most, bytes
  double seconds;  // of the processor
};

Usage usage_of_stats(const std::string& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::execl(BAREFXT_COMMAND, BAREFXT_COMMAND, "stats", "--json", path.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return {static_cast<double>(usage.ru_maxrss) * 1024,
          seconds(usage.ru_utime) + seconds(usage.ru_stime)};
}

TEST(StatisticsThroughput, MemoryAtTenMillionRecordsIsThatAtOneMillion) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's own memory would count";
  const BusyArchive smaller(1'000'000);
  const BusyArchive larger(10'000'000);
  const Usage at_one = usage_of_stats(smaller.path());
  const Usage at_ten = usage_of_stats(larger.path());
  std::printf("1 million records: %.2f MB; 10 million: %.2f MB, %.2f million records/s\n",
              at_one.memory / 1e6, at_ten.memory / 1e6,
              static_cast<double>(larger.records()) / 1e6 / at_ten.seconds);
  EXPECT_LT(at_ten.memory, 1.05 * at_one.memory);
}

double now() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// From header to header.
std::uint64_t hop(host::Bytes bytes) {
  std::uint64_t records = 0;
  for (std::size_t at = 0; at < bytes.size(); ++records) {
    const host::Word header = host::load_word(bytes.data() + at, false);
    at += fxt::kWordBytes * fxt::RecordHeader::SizeWords::in(header);
  }
  return records;
}

// A record takes as long as so many hops. What else goes on in the machine only ever adds to a
// time, so the least of each counts.
TEST(StatisticsThroughput, ARecordTakesNoLongerThanSoManyHops) {
  if (kSanitized || !kOptimized) GTEST_SKIP() << "only an optimized build is measured";
  // A machine that hops 275 million times a second then sums up 5 million records a second.
  constexpr double kBound = 55;
  const BusyArchive archive(200'000);
  host::Result<host::Source> source = host::Source::open(archive.path());
  ASSERT_TRUE(source);
  double hopping = 1e9;
  double summing = 1e9;
  for (unsigned i = 0; i < 30 && (i < 6 || summing > kBound * hopping); ++i) {
    double start = now();
    EXPECT_GE(hop(source.value().bytes()), archive.records());
    hopping = std::min(hopping, now() - start);
    start = now();
    EXPECT_TRUE(host::collect_statistics(source.value(), host::Form{}));
    summing = std::min(summing, now() - start);
  }
  const auto records = static_cast<double>(archive.records());
  std::printf("%.2f million records/s, hopping %.1f; 1/%.1f\n", records / 1e6 / summing,
              records / 1e6 / hopping, summing / hopping);
  EXPECT_LT(summing, kBound * hopping);
}

}  // namespace
}  // namespace barefxt::test
