// Text in columns of a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace barefxt::top {

enum class Glyphs : uint8_t { kAscii, kUnicode };

// The text as it may be shown: safe, and with `?` for what ASCII lacks.
std::string shown_text(std::string_view text, Glyphs glyphs);

// Columns of text that is valid UTF-8 without controls.
size_t columns_of(std::string_view text);

enum class Align : uint8_t { kLeft, kRight };
// Cut or filled up to exactly so many columns.
std::string fitted(std::string_view text, size_t columns, Align align = Align::kLeft);

}  // namespace barefxt::top
