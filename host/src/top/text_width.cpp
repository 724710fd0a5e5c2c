#include "text_width.h"

#include <array>
#include <cstdint>
#include <utility>

#include <barefxt/host/safe_text.h>

namespace barefxt::top {
namespace {

struct CodePoint {
  uint32_t value;
  size_t bytes;
};

CodePoint first_of(std::string_view text) {
  const auto byte = [&](size_t at) { return static_cast<uint8_t>(text[at]); };
  const size_t bytes = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
  if (bytes == 1 || bytes > text.size()) return {byte(0), 1};
  uint32_t value = byte(0) & (0xFFU >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) value = value << 6 | (byte(i) & 0x3FU);
  return {value, bytes};
}

using Range = std::pair<uint32_t, uint32_t>;
constexpr std::array<Range, 5> kCombining = {
    {{0x300, 0x36F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}}};
constexpr std::array<Range, 9> kWide = {{{0x1100, 0x115F},
                                         {0x2E80, 0xA4CF},
                                         {0xAC00, 0xD7A3},
                                         {0xF900, 0xFAFF},
                                         {0xFE30, 0xFE6F},
                                         {0xFF00, 0xFF60},
                                         {0xFFE0, 0xFFE6},
                                         {0x1F300, 0x1FAFF},
                                         {0x20000, 0x3FFFD}}};

template <size_t kCount>
bool is_in(const std::array<Range, kCount>& ranges, uint32_t value) {
  for (const auto& [low, high] : ranges)
    if (low <= value && value <= high) return true;
  return false;
}

size_t columns_of(uint32_t code) {
  if (is_in(kCombining, code)) return 0;
  return is_in(kWide, code) ? 2 : 1;
}

}  // namespace

std::string shown_text(std::string_view text, Glyphs glyphs) {
  std::string safe = host::safe_text(text);
  if (glyphs == Glyphs::kUnicode) return safe;
  std::string ascii;
  for (std::string_view left = safe; !left.empty();) {
    const CodePoint code = first_of(left);
    ascii += code.value < 0x80 ? static_cast<char>(code.value) : '?';
    left.remove_prefix(code.bytes);
  }
  return ascii;
}

size_t columns_of(std::string_view text) {
  size_t columns = 0;
  while (!text.empty()) {
    const CodePoint code = first_of(text);
    columns += columns_of(code.value);
    text.remove_prefix(code.bytes);
  }
  return columns;
}

std::string fitted(std::string_view text, size_t columns, Align align) {
  size_t used = 0;
  size_t end = 0;
  while (end < text.size()) {
    const CodePoint code = first_of(text.substr(end));
    const size_t more = columns_of(code.value);
    if (used + more > columns) break;
    used += more;
    end += code.bytes;
  }
  const std::string blanks(columns - used, ' ');
  const std::string kept(text.substr(0, end));
  return align == Align::kLeft ? kept + blanks : blanks + kept;
}

}  // namespace barefxt::top
