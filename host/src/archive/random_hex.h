// Names that cannot be guessed.
#pragma once

#include <random>
#include <string>

namespace barefxt::host {

// Returns `digits` hexadecimal digits, a multiple of 8, from the system's random numbers.
inline std::string random_hex(unsigned digits) {
  std::random_device random;
  std::string text;
  while (text.size() < digits)
    for (unsigned bits = random(), i = 0; i < 8; ++i, bits >>= 4)
      text += "0123456789abcdef"[bits & 0xf];
  return text;
}

}  // namespace barefxt::host
