#include <array>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>

#include "crc32c.h"
#endif

namespace barefxt::host {
namespace {

using Tables = std::array<std::array<uint32_t, 256>, 8>;

// tables[n][byte] is what a byte does to the remainder when n more bytes follow it.
constexpr Tables make_tables() {
  constexpr uint32_t kReversedPolynomial = 0x82f63b78;
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit)
      remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? kReversedPolynomial : 0);
    tables[0][byte] = remainder;
  }
  for (size_t after = 1; after < tables.size(); ++after)
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables[after - 1][byte];
      tables[after][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  return tables;
}

constexpr Tables kTables = make_tables();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t crc32c_by_instruction(std::span<const uint8_t> bytes) {
  uint64_t state = 0xffffffff;
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    state = _mm_crc32_u64(state, word);
  }
  auto narrow = static_cast<uint32_t>(state);
  for (; at < bytes.size(); ++at) narrow = _mm_crc32_u8(narrow, bytes[at]);
  return ~narrow;
}
#endif

}  // namespace

uint32_t crc32c_by_table(std::span<const uint8_t> bytes) {
  uint32_t state = 0xffffffff;
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    const uint8_t* next = bytes.data() + at;
    state = kTables[7][(state ^ next[0]) & 0xff] ^ kTables[6][((state >> 8) ^ next[1]) & 0xff] ^
            kTables[5][((state >> 16) ^ next[2]) & 0xff] ^ kTables[4][(state >> 24) ^ next[3]] ^
            kTables[3][next[4]] ^ kTables[2][next[5]] ^ kTables[1][next[6]] ^ kTables[0][next[7]];
  }
  for (; at < bytes.size(); ++at) state = (state >> 8) ^ kTables[0][(state ^ bytes[at]) & 0xff];
  return ~state;
}

uint32_t crc32c(std::span<const uint8_t> bytes) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return crc32c_by_instruction(bytes);
#endif
  return crc32c_by_table(bytes);
}

}  // namespace barefxt::host
