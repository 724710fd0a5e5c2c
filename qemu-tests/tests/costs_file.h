// build/costs.json: what records cost, target by target. Tests that run side by side write to it.
#pragma once

#include "events.h"

namespace barefxt::test {

// Each of `entries` is known by its target, compiler (where it has one) and record. What it says is
// added to what the file says of that already, in the place of what is outdated.
void note_costs(const Json& entries);

}  // namespace barefxt::test
