// build/costs.json: what records cost, target by target. Only one test at a time writes to it, see
// RESOURCE_LOCK in CMakeLists.txt.
#pragma once

#include <functional>

#include "events.h"

namespace barefxt::test {

// Puts `entries` in the place of those that are `outdated`, and leaves the others.
void replace_costs(const std::function<bool(const Json&)>& outdated, const Json& entries);

}  // namespace barefxt::test
