// Bytes in hexadecimal digits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace barefxt::host {

inline std::string hexadecimal_digits(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += kDigits[static_cast<uint8_t>(byte) >> 4];
    text += kDigits[static_cast<uint8_t>(byte) & 0xf];
  }
  return text;
}

}  // namespace barefxt::host
