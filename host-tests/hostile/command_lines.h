// Command lines for inputs of each kind, so that every verb reads each kind that it takes.
#pragma once

#include <vector>

#include "hostile/mutations.h"

namespace barefxt::test {

// kServed: what `open` gives to the one client that asks, as the file `out`; kServedArchive: an
// archive.
enum class Out : uint8_t { kNone, kArchive, kOther, kRaw, kServed, kServedArchive };

struct Line {
  const char* text;
  Out out;
};

inline bool is_served(Out out) { return out == Out::kServed || out == Out::kServedArchive; }

// The input is `in`, the output `out`. Beside them are files of sound inputs.
std::vector<Line> lines_for(InputKind kind);

}  // namespace barefxt::test
