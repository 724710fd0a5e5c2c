// Bytes as a stream: padded with zeros to the next word, in the byte order of memory, which may
// differ from the words' own.
#pragma once

#include <barefxt/fxt/field.h>

namespace barefxt {

// Returns the shift of the byte with this address in an integer of `bytes` bytes.
constexpr unsigned shift_of_byte(uint32_t address, uint32_t bytes) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return 8 * (bytes - 1 - address);
#else
  (void)bytes;
  return 8 * address;
#endif
}

// Whole words at a time, with shifts instead of a copy: a copy may become a call of memcpy. In
// halves on CPUs of 32 bits, since a shift of a whole word may be a call there, too.
inline fxt::Word* write_stream(fxt::Word* at, const void* from, uint32_t bytes) {
  const auto* source = static_cast<const unsigned char*>(from);
  for (uint32_t done = 0; done < bytes; done += fxt::kWordBytes) {
    const uint32_t left = bytes - done;
    if constexpr (sizeof(uintptr_t) == fxt::kWordBytes) {
      fxt::Word word = 0;
      for (uint32_t i = 0; i < fxt::kWordBytes && i < left; ++i)
        word |= fxt::Word{source[done + i]} << shift_of_byte(i, fxt::kWordBytes);
      *at++ = word;
    } else {
      constexpr uint32_t kHalf = fxt::kWordBytes / 2;
      uint32_t half[2] = {0, 0};
      for (uint32_t i = 0; i < kHalf && i < left; ++i)
        half[0] |= uint32_t{source[done + i]} << shift_of_byte(i, kHalf);
      for (uint32_t i = kHalf; i < fxt::kWordBytes && i < left; ++i)
        half[1] |= uint32_t{source[done + i]} << shift_of_byte(i - kHalf, kHalf);
      *at++ = fxt::Word{half[0]} << kHalf * shift_of_byte(0, 2) |
              fxt::Word{half[1]} << kHalf * shift_of_byte(1, 2);
    }
  }
  return at;
}

}  // namespace barefxt
