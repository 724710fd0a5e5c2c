// Twice the input costs twice the instructions, for every kind of input.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iostream>
#include <string>
#include <vector>

#include "../build_kind.h"

namespace barefxt::test::linear_test {
namespace {

// The second doubling may add this times what the first added: 2 if linear, 4 if quadratic.
constexpr double kMaxGrowth = 2.6;
// Instructions that may come at once: buffers made on demand.
constexpr double kJump = 20'000;

double counted(const std::filesystem::path& file) {
  std::ifstream part(file);
  const std::string mark = "totals: ";
  for (std::string line; std::getline(part, line);)
    if (line.starts_with(mark)) return std::stod(line.substr(mark.size()));
  ADD_FAILURE() << "no count in " << file;
  return 0;
}

TEST(Linear, IsWhatEachInputCosts) {
  if (kSanitized || !kOptimized) GTEST_SKIP() << "only the code as it is delivered is measured";
  std::string folder = ::testing::TempDir() + "barefxt-linear-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string line = "cd '" + folder +
                           "' && valgrind --tool=callgrind --callgrind-out-file=out "
                           "--collect-atstart=no --toggle-collect=counted_case "
                           "--dump-after=counted_case '" BAREFXT_LINEAR_COUNT "' " +
                           (is_full_run() ? "65536 full" : "3072") + " >names 2>errors";
  EXPECT_EQ(std::system(line.c_str()), 0);  // NOLINT(cert-env33-c)
  std::ifstream names(folder + "/names");
  unsigned part = 0;
  unsigned inputs = 0;
  for (std::string name; std::getline(names, name); ++inputs) {
    std::vector<double> counts;
    for (int i = 0; i < 3; ++i)
      counts.push_back(counted(folder + "/out." + std::to_string(++part)));
    const double first = counts[1] - counts[0];
    const double second = counts[2] - counts[1];
    EXPECT_LE(second, kMaxGrowth * std::max(first, 0.0) + kJump)
        << name << ": " << counts[0] << ", " << counts[1] << ", " << counts[2] << " instructions";
  }
  EXPECT_GT(inputs, is_full_run() ? 90U : 30U);
  std::filesystem::remove_all(folder);
}

struct Times {
  std::string name;
  double quarter = 0;
  double half = 0;
  double whole = 0;

  // Linear: the second doubling adds twice what the first added; a square adds four times that.
  // CPU time is no count: what no longer fits the caches is slower. So the limit is in between.
  bool is_linear() const {
    constexpr double kMaxTimes = 3;
    constexpr double kNoise = 0.1;  // seconds
    return whole - half <= kMaxTimes * std::max(half - quarter, 0.0) + kNoise;
  }
};

std::vector<Times> times_of_a_million(const std::string& folder, const std::string& name) {
  const std::string file = folder + "/times";
  EXPECT_EQ(std::system(("'" BAREFXT_LINEAR_COUNT "' million " + name + " >'" + file + "'")
                            .c_str()),  // NOLINT(cert-env33-c)
            0)
      << name;
  std::vector<Times> all;
  std::ifstream lines(file);
  for (Times times; lines >> times.name >> times.quarter >> times.half >> times.whole;)
    all.push_back(times);
  return all;
}

// A million names, one name a million times, a million levels: by CPU time, in full runs alone.
TEST(Linear, IsWhatAMillionCost) {
  if (!is_full_run()) GTEST_SKIP() << "takes several minutes";
  if (kSanitized || !kOptimized) GTEST_SKIP() << "only the code as it is delivered is measured";
  std::string folder = ::testing::TempDir() + "barefxt-million-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::vector<Times> all = times_of_a_million(folder, "");
  EXPECT_GT(all.size(), 50U);
  for (Times times : all) {
    // Something else may have been running.
    for (int again = 0; again < 3 && !times.is_linear(); ++again) {
      const std::vector<Times> one = times_of_a_million(folder, times.name);
      if (!one.empty()) times = one[0];
    }
    EXPECT_TRUE(times.is_linear())
        << times.name << ": " << times.quarter << ", " << times.half << ", " << times.whole << " s";
    std::cout << "MILLION name=" << times.name << " seconds=" << times.whole << "\n";
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace barefxt::test::linear_test
