// 64-bit words in a stated byte order, from and to unaligned bytes.
#pragma once

#include <cstdint>
#include <cstring>

#include <barefxt/host/words.h>

namespace barefxt::host {

inline uint64_t load_word(const uint8_t* bytes, ByteOrder order) {
  return load_word(bytes, order != kOwnByteOrder);
}

inline void store_word(uint8_t* bytes, uint64_t word, ByteOrder order) {
  if (order != kOwnByteOrder) word = __builtin_bswap64(word);
  std::memcpy(bytes, &word, sizeof word);
}

}  // namespace barefxt::host
