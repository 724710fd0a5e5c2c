// Runs each case on inputs of one, two and four times BYTES. linear_test.cpp counts the
// instructions of each call of `counted_case`. Prints one name for each three calls. Runs short
// cases, all of them (`full`), or one.
//
// As `linear_count million [NAME]`: a quarter, a half and a whole of 2^20 names, records or levels,
// which are too many to count instructions. Prints the name and the CPU time of each in seconds,
// the shortest of several runs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>

#include "grown.h"

namespace {

const std::function<void()>* work = nullptr;

}  // namespace

extern "C" [[gnu::noinline]] void counted_case() { (*work)(); }

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Short runs are repeated: the first of them also warms up.
double measured(const std::function<void()>& run) {
  constexpr double kLong = 2;
  double least = std::numeric_limits<double>::max();
  double sum = 0;
  for (int i = 0; i < 3 && sum < kLong; ++i) {
    const double begin = cpu_seconds();
    run();
    const double took = cpu_seconds() - begin;
    sum += took;
    least = std::min(least, took);
  }
  return least;
}

int measure_a_million(const std::string& which) {
  constexpr size_t kMillion = size_t{1} << 20;
  for (const barefxt::test::Grown& grown : barefxt::test::all_grown()) {
    if (grown.each == 0 || (!which.empty() && which != grown.name)) continue;
    std::printf("%s", grown.name.c_str());
    for (const size_t parts : {4U, 2U, 1U})
      std::printf(" %.3f", measured(grown.prepare(kMillion / parts * grown.each)));
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count >= 2 && std::string(arguments[1]) == "million")
    return measure_a_million(count >= 3 ? arguments[2] : "");
  const size_t size = count >= 2 ? std::strtoul(arguments[1], nullptr, 10) : 0;
  if (size == 0) {
    std::fprintf(stderr, "usage: linear_count BYTES [full|NAME], or linear_count million [NAME]\n");
    return 2;
  }
  const std::string which = count >= 3 ? arguments[2] : "";
  for (const barefxt::test::Grown& grown : barefxt::test::all_grown()) {
    if (which.empty() ? grown.only_full : which != "full" && which != grown.name) continue;
    for (const size_t times : {1U, 2U, 4U}) {
      const std::function<void()> prepared =
          grown.prepare(std::min(size * grown.scale, grown.most) * times);
      work = &prepared;
      counted_case();
    }
    std::printf("%s\n", grown.name.c_str());
  }
  return 0;
}
