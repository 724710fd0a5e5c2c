// An interval parted into its causes, from its end to its begin.
//
// Invariants: the parts sum to the interval. Beyond kMaxParts causes, the rest is joined by kind;
// beyond kMaxStretches only the sums go on.
#pragma once

#include "judge.h"

namespace barefxt::host {

inline constexpr size_t kMaxParts = 256;
inline constexpr size_t kMaxStretches = 4096;

// Fills the parts and stretches, and of a flow its critical path: from the thread of its end to
// the threads that woke it, to that of its begin, `first_thread`.
void part(Explanation& one, const History& history, const Judge& judge, uint64_t first_thread);

// Fills the chain of wakeups.
void find_chain(Explanation& one, const History& history, const Judge& judge);

}  // namespace barefxt::host
