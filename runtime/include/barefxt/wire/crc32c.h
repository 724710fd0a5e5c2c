// CRC-32C (Castagnoli; RFC 3720, appendix B.4), four bits at a time: 64 bytes of table, which is
// what a small image can spare; by the bit in one that cannot.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt/config.h>

namespace barefxt::wire {

struct Crc32cTable {
  uint32_t entry[16];
  constexpr Crc32cTable() : entry() {
    constexpr uint32_t kReversedPolynomial = 0x82f63b78;
    for (uint32_t i = 0; i < 16; ++i) {
      uint32_t remainder = i;
      for (int bit = 0; bit < 4; ++bit)
        remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? kReversedPolynomial : 0);
      entry[i] = remainder;
    }
  }
};
inline constexpr Crc32cTable kCrc32cTable{};

class Crc32c {
 public:
  [[gnu::always_inline]] constexpr void add(uint8_t byte) {
    state_ ^= byte;
    if constexpr (!BAREFXT_FAST_PATHS) {
      for (int bit = 0; bit < 8; ++bit) state_ = (state_ >> 1) ^ (0x82f63b78 & (0 - (state_ & 1)));
      return;
    }
    state_ = (state_ >> 4) ^ kCrc32cTable.entry[state_ & 0xf];
    state_ = (state_ >> 4) ^ kCrc32cTable.entry[state_ & 0xf];
  }
  constexpr void add(const uint8_t* bytes, size_t count) {
    for (size_t i = 0; i < count; ++i) add(bytes[i]);
  }
  constexpr uint32_t value() const { return ~state_; }

 private:
  uint32_t state_ = 0xffffffff;
};

}  // namespace barefxt::wire
