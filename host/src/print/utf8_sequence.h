// UTF-8, one character at a time, and the characters that a terminal acts on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace barefxt::host {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

struct Sequence {
  size_t bytes;
  bool valid;
  char32_t code = 0;  // if valid
};

// The UTF-8 sequence at the front, or how much of a broken one counts as one error: the longest
// start of a valid sequence, and at least one byte. That is what the Unicode standard recommends.
inline Sequence sequence_at(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {1, true, lead};
  size_t bytes = 0;
  // The second byte is what keeps out overlong forms, surrogates and values beyond U+10FFFF.
  uint8_t low = 0x80;
  uint8_t high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    bytes = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    bytes = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    bytes = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return {1, false};
  }
  char32_t code = lead & (0x7fU >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if (i >= text.size() || byte(i) < low || byte(i) > high) return {i, false};
    code = code << 6 | (byte(i) & 0x3fU);
    low = 0x80;
    high = 0xBF;
  }
  return {bytes, true, code};
}

// Terminal controls (C0, DEL, C1), marks of text direction, and line ends.
inline bool drives_terminals(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c || code == 0x200e ||
         code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

// Writes a character as in JSON, `\u001b`. Returns the end.
inline constexpr size_t kEscapeBytes = 6;
inline char* write_escape(char* at, char32_t code) {
  constexpr std::string_view kHex = "0123456789abcdef";
  *at++ = '\\';
  *at++ = 'u';
  for (int shift = 12; shift >= 0; shift -= 4) *at++ = kHex[code >> shift & 0xf];
  return at;
}

}  // namespace barefxt::host
