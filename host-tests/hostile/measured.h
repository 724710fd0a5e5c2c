// The measurements in statistics, row by row, to hold those of a damaged input to those of the
// sound one.
//
// "Nothing invented" means, for each row (a thread, an interrupt, a duration, a lock, ...):
//   - each measured length is a length of the sound row, with as many of each length at most; no
//     shortest, longest, quantile or overrun can then be another than lengths of the sound input
//     make
//   - times and counts are no larger; time known as blocked or runnable may become waiting
//   - a counter's values lie within the sound row's
//   - only what is counted as lost, open, in doubt or unknown may grow
// A loss may take a name or a thread's identity (`string#N`, `thread#N`); such rows are held to all
// sound rows of their kind.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <barefxt/host/stats.h>

namespace barefxt::test {

using Lengths = std::map<uint64_t, uint64_t>;  // how many of each

// Rows are called "kind/key/what".
struct Measured {
  std::map<std::string, Lengths> lengths;   // of which rows may have no other
  std::map<std::string, uint64_t> amounts;  // which may not be larger
  std::map<std::string, std::pair<__int128, __int128>> ranges;
};

// Every length must be kept: Precision::kExact.
Measured measured(const host::Statistics& statistics);

// Returns the first row that measures what the sound one does not; empty if there is none.
std::string first_invented(const Measured& damaged, const Measured& sound);

}  // namespace barefxt::test
