// The worked examples of docs/reference/wire-format.md and coded-records.md.
#pragma once

#include <string>
#include <vector>

namespace barefxt::test {

// The content of the document's code fences with this label, without comments.
std::vector<std::string> documented_frames(const std::string& label);

}  // namespace barefxt::test
