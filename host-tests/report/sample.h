// An archive with one of each drawn item: two CPUs, threads that run, wait and are woken,
// interrupts, durations within each other, instants, a log, a counter, a flow, an asynchronous
// span, and a loss. 1000 ticks are a millisecond.
#pragma once

#include <string>

namespace barefxt::test {

inline constexpr uint64_t kControl = 11;
inline constexpr uint64_t kLogger = 12;
inline constexpr uint64_t kSampleProcess = 5;

// So many rounds of ten milliseconds each.
std::string sample_archive(unsigned rounds = 10);

}  // namespace barefxt::test
