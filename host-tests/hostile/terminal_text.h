// Finds text that a terminal would act on, by another rule than safe_text()'s.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace barefxt::test {

// Returns where the first such byte or character is; empty if there is none. `allowed`: control
// characters that may occur.
inline std::string terminal_driver_in(const std::string& text, std::string_view allowed = {}) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 || byte == 0x7f) && allowed.find(text[i]) == std::string_view::npos)
      return "byte " + std::to_string(byte) + " at " + std::to_string(i);
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
