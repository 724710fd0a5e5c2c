// build/costs.json: what records cost, target by target. Only one test at a time writes to it, see
// RESOURCE_LOCK in CMakeLists.txt.
#pragma once

#include "events.h"

namespace barefxt::test {

// Each of `entries` is known by its target, compiler (where it has one) and record. What it says is
// added to what the file says of that already, in the place of what is outdated.
void note_costs(const Json& entries);

}  // namespace barefxt::test
