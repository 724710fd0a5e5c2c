// Probabilities of counts and sums, for tests of what changed.
#pragma once

#include <cstdint>

namespace barefxt::host {

// For `count` independent draws that each succeed with probability `share`: the probability that at
// most `most` succeed.
double chance_of_at_most(uint64_t count, double share, uint64_t most);

// The largest r such that at most r - 1 of `count` draws succeed with a probability of at most
// `error`; 0 if there is none. The r-th shortest of `count` lengths is longer than the quantile at
// `share` with at most that probability.
uint64_t rank_below(uint64_t count, double share, double error);

// For `old` and `now` exchangeable lengths: the probability that the `longest` longest are all
// among `now`.
double chance_of_all_longest(uint64_t old, uint64_t now, uint64_t longest);

// The probability that a sum of the squares of `freedom` standard normal values exceeds `sum`.
double chance_of_squares(unsigned freedom, double sum);

// The value that a standard normal variable exceeds with probability `error`.
double normal_limit(double error);
// The value that Student's t of `freedom` degrees exceeds with probability `error`.
double student_limit(unsigned freedom, double error);

}  // namespace barefxt::host
