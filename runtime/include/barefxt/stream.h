// Bytes as a stream: padded with zeros to the next word, in the byte order of memory whatever the
// words' own is.
#pragma once

#include <barefxt/fxt/field.h>

namespace barefxt {

// Whole words at a time, with shifts instead of a copy: a copy may become a call of memcpy.
inline fxt::Word* write_stream(fxt::Word* at, const void* from, uint32_t bytes) {
  const auto* source = static_cast<const unsigned char*>(from);
  for (uint32_t done = 0; done < bytes; done += fxt::kWordBytes) {
    const uint32_t left = bytes - done;
    fxt::Word word = 0;
    for (uint32_t i = 0; i < fxt::kWordBytes && i < left; ++i) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
      const unsigned shift = 8 * (fxt::kWordBytes - 1 - i);
#else
      const unsigned shift = 8 * i;
#endif
      word |= static_cast<fxt::Word>(source[done + i]) << shift;
    }
    *at++ = word;
  }
  return at;
}

}  // namespace barefxt
