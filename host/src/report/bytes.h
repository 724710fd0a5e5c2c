// Bytes as the page reads them: numbers of varying length, deflated, as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace barefxt::report {

// Seven bits a byte, the lowest first, the eighth set where more follow.
inline void append_number(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

// With the sign in the lowest bit.
inline uint64_t zigzag(int64_t value) {
  return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
}

inline void append_word(std::string& out, uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift);
}

// In zlib's form (RFC 1950).
std::string deflated(std::string_view bytes);

// Five characters for four bytes, k + 1 for k bytes at the end, the lowest digit first. None of
// them ends a script element or a string in a script.
std::string base85(std::string_view bytes);

}  // namespace barefxt::report
