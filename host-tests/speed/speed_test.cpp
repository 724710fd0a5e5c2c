// The host's code takes no more instructions than it did: counted by callgrind, which makes of
// every machine the same one.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <gtest/gtest.h>

#include "../build_kind.h"
#include "cli/shell_line.h"
#include "measured.h"

namespace barefxt::test::speed_test {
namespace {

// The process's own time: other work on the machine does not count.
double now() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double least_seconds(const Work& work) {
  double least = 1e9;
  for (unsigned i = 0; i < 5; ++i) {
    const double start = now();
    work.run();
    least = std::min(least, now() - start);
  }
  return least;
}

// The number behind a word, negative where there is none.
double number_behind(const std::string& text, const std::string& word) {
  const size_t at = text.find(word);
  return at == std::string::npos ? -1 : std::atof(text.c_str() + at + word.size());
}

double instructions_per_unit(const char* name) {
  const std::string output =
      run_line(
          "valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no "
          "--toggle-collect=counted_work " BAREFXT_SPEED_COUNT " " +
          std::string(name) + " 2>&1")
          .output;
  const double instructions = number_behind(output, "Collected : ");
  const double units = number_behind(output, "units ");
  EXPECT_GT(instructions, 0) << output;
  EXPECT_GT(units, 0) << output;
  return instructions / units;
}

class SpeedTest : public ::testing::TestWithParam<Measured> {};

TEST_P(SpeedTest, TakesNoMoreInstructionsThanItsLimit) {
  if (kSanitized || !kOptimized) GTEST_SKIP() << "only the code as it is delivered is measured";
  const Measured& measured = GetParam();
  const double instructions = instructions_per_unit(measured.name);
  const Work work = measured.prepare(Amount::kToTime);
  const double seconds = least_seconds(work);
  std::printf("%s: %.2f instructions a %s; %.1f M/s, %.0f MB/s\n", measured.name, instructions,
              measured.unit, work.units / 1e6 / seconds, work.bytes / 1e6 / seconds);
#if defined(__x86_64__) && !defined(__clang__)
  EXPECT_LT(instructions, measured.limit);
#endif
}

INSTANTIATE_TEST_SUITE_P(Host, SpeedTest, ::testing::ValuesIn(all_measured()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace barefxt::test::speed_test
