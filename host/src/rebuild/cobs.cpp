#include <bit>
#include <cstring>

#include <barefxt/host/cobs.h>
#include <barefxt/host/words.h>

namespace barefxt::host {
namespace {

// What one step of the quick way may read: a code, the bytes behind it, and a word of codes.
constexpr size_t kQuickBytes = 1 + kCobsSlackBytes + sizeof(uint64_t);

// How many of the eight bytes there are codes of blocks without a byte, one behind the other.
size_t empty_blocks_at(const uint8_t* from) {
  constexpr uint64_t kAllEmpty = 0x0101010101010101;
  return static_cast<size_t>(
             std::countr_zero(load_word(from, kOwnByteOrder != ByteOrder::kLittle) ^ kAllEmpty)) /
         8;
}

}  // namespace

std::optional<size_t> cobs_decode(std::span<const uint8_t> coded, uint8_t* decoded) {
  const uint8_t* from = coded.data();
  const uint8_t* const end = from + coded.size();
  uint8_t* to = decoded;
  while (from < end) {
    // Most blocks of a trace are a few bytes long, and zeros come in numbers: sixteen bytes at once
    // are quicker than their number, and so are up to nine zeros. As data follow, each block has
    // its zero. A code of 0 makes the longest run.
    while (static_cast<size_t>(end - from) > kQuickBytes && size_t{*from} - 1 <= kCobsSlackBytes) {
      const size_t run = size_t{*from} - 1;
      std::memcpy(to, from + 1, kCobsSlackBytes);
      from += 1 + run;
      to += run;
      const size_t empty = empty_blocks_at(from);
      std::memset(to, 0, 9);
      from += empty;
      to += 1 + empty;
    }
    const uint8_t code = *from++;
    const size_t run = static_cast<size_t>(code) - 1;
    const auto left = static_cast<size_t>(end - from);
    if (code == 0 || run > left) return {};
    std::memcpy(to, from, run);
    from += run;
    to += run;
    if (code != 0xff && from < end) *to++ = 0;
  }
  return static_cast<size_t>(to - decoded);
}

}  // namespace barefxt::host
