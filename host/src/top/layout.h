// Lays a frame out in the lines of a terminal.
//
// Invariants: no more lines than rows, and each is exactly as wide as the terminal; nothing in them
// acts on a terminal; a pure function.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "frame.h"
#include "text_width.h"
#include "view.h"

namespace barefxt::top {

enum class Look : uint8_t { kPlain, kTitle, kHeading, kSelected, kWarning, kFaint };

struct Line {
  std::string text;
  Look look = Look::kPlain;
};

struct Size {
  size_t columns = 80;
  size_t rows = 24;
};

std::vector<Line> lay_out(const Frame& frame, const View& view, Size size, Glyphs glyphs);

// The values as bars, the newest at the right.
std::string sparkline(const std::vector<double>& values, size_t columns, Glyphs glyphs);

// A time of so many ticks in at most seven columns: 1.25ms.
std::string short_time(uint64_t ticks, uint64_t ticks_per_second);

}  // namespace barefxt::top
