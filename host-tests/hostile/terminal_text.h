// Finds text that a terminal would act on, or that is no UTF-8, by another rule than safe_text()'s.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace barefxt::test {

// Bytes of the UTF-8 character there; 0: they are none.
inline size_t character_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return 0;
  uint32_t code = first & (0x7fU >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if (next >> 6 != 2) return 0;
    code = code << 6 | (next & 0x3f);
  }
  constexpr uint32_t kMinCode[] = {0x80, 0x800, 0x10000};
  const bool is_surrogate = code >> 11 == 0xd800 >> 11;
  return code < kMinCode[bytes - 2] || code > 0x10ffff || is_surrogate ? 0 : bytes;
}

// Returns where the first such byte or character is; empty if there is none. `allowed`: control
// characters that may occur.
inline std::string terminal_driver_in(const std::string& text, std::string_view allowed = {}) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 || byte == 0x7f) && allowed.find(text[i]) == std::string_view::npos)
      return "byte " + std::to_string(byte) + " at " + std::to_string(i);
  }
  for (size_t i = 0; i < text.size();) {
    const size_t bytes = character_bytes(std::string_view(text).substr(i));
    if (bytes == 0) return "no UTF-8 at " + std::to_string(i);
    i += bytes;
  }
  std::vector<std::string> bad = {"\u061c", "\u200e", "\u200f", "\u2028", "\u2029",
                                  "\u202a", "\u202b", "\u202c", "\u202d", "\u202e",
                                  "\u2066", "\u2067", "\u2068", "\u2069", "\ufeff"};
  for (int c1 = 0x80; c1 < 0xa0; ++c1) bad.push_back({'\xc2', static_cast<char>(c1)});
  for (const std::string& each : bad)
    if (const size_t at = text.find(each); at != std::string::npos)
      return "a character at " + std::to_string(at);
  return {};
}

}  // namespace barefxt::test
