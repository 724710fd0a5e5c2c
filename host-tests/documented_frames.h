// The worked examples of docs/reference/wire-format.md and coded-records.md.
#pragma once

#include <string>
#include <vector>

namespace barefxt::test {

// What stands in the document's code fences with this label, comments left out.
std::vector<std::string> documented_frames(const std::string& label);

}  // namespace barefxt::test
