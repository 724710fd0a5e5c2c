// Bytes as a stream: padded with zeros to the next word, in the byte order of memory whatever the
// words' own is.
#pragma once

#include <barefxt/fxt/field.h>

namespace barefxt {

// The first bytes as a register of the CPU has them, `bytes` of them or as many as it holds. Not a
// whole word where registers are shorter: to shift that by a variable is a call of a library.
inline uintptr_t stream_part(const unsigned char* source, uint32_t bytes) {
  uintptr_t part = 0;
  for (uint32_t i = 0; i < sizeof part && i < bytes; ++i) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    const unsigned shift = 8 * (sizeof part - 1 - i);
#else
    const unsigned shift = 8 * i;
#endif
    part |= static_cast<uintptr_t>(source[i]) << shift;
  }
  return part;
}

// Whole words at a time, with shifts instead of a copy: a copy may become a call of memcpy.
inline fxt::Word* write_stream(fxt::Word* at, const void* from, uint32_t bytes) {
  const auto* source = static_cast<const unsigned char*>(from);
  for (uint32_t done = 0; done < bytes; done += fxt::kWordBytes) {
    const uint32_t left = bytes - done;
    if constexpr (sizeof(uintptr_t) == fxt::kWordBytes) {
      *at++ = stream_part(source + done, left);
    } else {
      const fxt::Word first = stream_part(source + done, left);
      const fxt::Word second = left > 4 ? stream_part(source + done + 4, left - 4) : 0;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
      *at++ = first << 32 | second;
#else
      *at++ = second << 32 | first;
#endif
    }
  }
  return at;
}

}  // namespace barefxt
