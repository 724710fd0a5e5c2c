#include "utf8.h"

#include <cstring>

namespace barefxt::host {
namespace {

bool continues(uint8_t byte) { return (byte & 0xc0) == 0x80; }

// The bytes of the sequence that starts here, 0 where none does.
size_t sequence_bytes(std::span<const uint8_t> bytes) {
  const uint8_t first = bytes[0];
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length > bytes.size()) return 0;
  for (size_t i = 1; i < length; ++i)
    if (!continues(bytes[i])) return 0;
  const uint8_t second = bytes[1];
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second > 0x9f;
  const bool too_large = first == 0xf4 && second > 0x8f;
  return overlong || surrogate || too_large ? 0 : length;
}

// How many bytes from here on are ASCII for sure: whole words of them.
size_t ascii_run(std::span<const uint8_t> bytes) {
  size_t run = 0;
  for (; run + 8 <= bytes.size(); run += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + run, sizeof word);
    if ((word & 0x8080808080808080u) != 0) break;
  }
  return run;
}

}  // namespace

bool is_utf8(std::span<const uint8_t> bytes) {
  size_t at = ascii_run(bytes);
  while (at < bytes.size()) {
    const size_t length = sequence_bytes(bytes.subspan(at));
    if (length == 0) return false;
    at += length;
  }
  return true;
}

size_t repair_utf8(std::span<uint8_t> bytes) {
  size_t replaced = 0;
  size_t at = ascii_run(bytes);
  while (at < bytes.size()) {
    size_t length = sequence_bytes(bytes.subspan(at));
    if (length == 0) {
      bytes[at] = '?';
      ++replaced;
      length = 1;
    }
    at += length;
  }
  return replaced;
}

size_t utf8_cut(std::span<const uint8_t> bytes, size_t limit) {
  if (bytes.size() <= limit) return bytes.size();
  while (limit > 0 && continues(bytes[limit])) --limit;
  return limit;
}

}  // namespace barefxt::host
