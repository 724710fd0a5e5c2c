// build/costs.json: what records cost, target by target. Tests that run side by side write to it.
#pragma once

#include "events.h"

namespace barefxt::test {

// A cost may grow by this factor over its last written value.
inline constexpr double kWorse = 1.02;
// A counter whose ticks are not instructions is read before and after thousands of rounds. Its
// phase within a tick makes a difference of one instruction in all of them.
inline constexpr double kResolution = 0.0005;
// Instructions of load, test and branch, and one for the address.
inline constexpr double kDisabledProbe = 4;

// Each of `entries` is identified by its target, compiler (if it has one) and record. Its values
// are merged into the file's entry of the same identity, and replace outdated ones.
void note_costs(const Json& entries);

}  // namespace barefxt::test
