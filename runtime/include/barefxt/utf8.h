// Finds the places at which text may be cut.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt/features.h>

namespace barefxt {

// How many of the first `limit` bytes can be kept so that no UTF-8 character is torn.
BAREFXT_ONE_COPY_ inline uint32_t cut_utf8(const char* text, size_t bytes, uint32_t limit) {
  if (bytes <= limit) return static_cast<uint32_t>(bytes);
  uint32_t end = limit;
  // A byte 10xxxxxx continues a character; one has at most three of them.
  while (end > 0 && limit - end < 3 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;
  return end;
}

BAREFXT_ONE_COPY_ inline size_t text_bytes(const char* text) {
  size_t bytes = 0;
  if (text != nullptr)
    while (text[bytes] != 0) ++bytes;
  return bytes;
}

}  // namespace barefxt
