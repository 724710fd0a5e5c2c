// How fast captures become archives, against looking at each of their bytes in the same run.
#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <time.h>

#include <barefxt/host/rebuild.h>

#include "build_kind.h"
#include "capture_builder.h"
#include "coded_records.h"
#include "memory_sink.h"

namespace barefxt::test {
namespace {

// Of this process on its CPU: others may have their turns meanwhile.
double now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double seconds_of(const Bytes& capture, uint64_t& archive_bytes) {
  const double start = now();
  host::Rebuild rebuild([](const std::string&) {});
  EXPECT_FALSE(rebuild.feed(capture));
  EXPECT_FALSE(rebuild.end_input("capture"));
  CountingSink sink;
  const auto verdict = rebuild.write(sink, host::ByteOrder::kLittle);
  EXPECT_TRUE(verdict && verdict.value() == host::RebuildVerdict::kComplete);
  archive_bytes = sink.count();
  return now() - start;
}

// A CRC of the capture, bit by bit.
double seconds_of_checking(const Bytes& capture) {
  const double start = now();
  EXPECT_NE(plain_crc32c(capture), 0u);
  return now() - start;
}

TEST(RebuildSpeed, OfRawRecordsIsMoreThanThatOfACrcBitByBit) {
  if (kSanitized || !kOptimized)
    GTEST_SKIP() << "only an optimized build without sanitizers is measured";
  const std::vector<Bytes> frames = two_cpu_capture(10'000, 44).frames();
  const Bytes raw = binary_form(frames);
  const Bytes code = binary_form(coded(frames));
  double of_raw = 1e9;
  double of_code = 1e9;
  double checking = 1e9;
  uint64_t archive_bytes = 0;
  for (int i = 0; i < 5; ++i) {
    of_raw = std::min(of_raw, seconds_of(raw, archive_bytes));
    of_code = std::min(of_code, seconds_of(code, archive_bytes));
    checking = std::min(checking, seconds_of_checking(raw));
  }
  const auto megabytes = [](const Bytes& capture) {
    return static_cast<double>(capture.size()) / 1e6;
  };
  std::printf(
      "raw records: %.0f MB/s; coded: %.0f MB/s, %.0f MB/s of archive; checking %.0f MB/s\n",
      megabytes(raw) / of_raw, megabytes(code) / of_code,
      static_cast<double>(archive_bytes) / 1e6 / of_code, megabytes(raw) / checking);
  EXPECT_LT(of_raw, 0.75 * checking);
}

}  // namespace
}  // namespace barefxt::test
