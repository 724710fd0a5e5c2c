// Measured parts of the host's code, each with its limit in instructions.
//
// Instructions, since they are the same in every run: a time depends on other work on the machine.
// Even the ratio of two times does, if a core is shared and one of the two waits more. Times are
// printed beside them.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace barefxt::test {

// How much of it: as few as have the mean of many, or enough to take the time.
enum class Amount : uint8_t { kToCount, kToTime };

// Something to do, over and over, with all that it needs.
struct Work {
  std::function<void()> run;
  double units = 0;  // that a run goes through
  double bytes = 0;  // of the archive or capture
};

struct Measured {
  const char* name;
  const char* unit;
  double limit;  // instructions per unit, 3 % above what was measured with GCC 12
  std::function<Work(Amount)> prepare;
};

// In the names of tests, which would have its bytes otherwise: other ones in each run.
inline void PrintTo(const Measured& measured, std::ostream* out) { *out << measured.name; }

std::vector<Measured> measured_writing();
std::vector<Measured> measured_reading();
std::vector<Measured> measured_rebuilding();
std::vector<Measured> measured_summing();
std::vector<Measured> measured_watching();

std::vector<Measured> all_measured();

}  // namespace barefxt::test
