// Compares the archive with the kernel's own counts.
//
// Nothing of this comes from the tracer: counts and order-sensitive hashes are made anew from the
// printed records, and every difference is printed in a line of its own.
#pragma once

#include <string>
#include <vector>

#include "events.h"
#include "tally_lines.h"

namespace barefxt::test {

// Returns a line for each difference. Empty: the archive has exactly what the kernel counted.
std::vector<std::string> compare(const Tally& tally, const std::vector<Json>& archive);

std::string join(const std::vector<std::string>& lines);

}  // namespace barefxt::test
