// Numbers in a run of bytes, in the byte order of their writer.
#pragma once

#include <cstdint>

#include <barefxt/host/source.h>
#include <barefxt/host/words.h>

namespace barefxt::host {

class ImageFields {
 public:
  ImageFields(Bytes bytes, ByteOrder order) : bytes_(bytes), order_(order) {}

  // Returns true if `count` bytes exist from `at` on.
  bool has(uint64_t at, uint64_t count) const {
    return at <= bytes_.size() && count <= bytes_.size() - at;
  }

  // The bytes must exist.
  uint8_t u8(size_t at) const { return bytes_[at]; }
  uint16_t u16(size_t at) const { return static_cast<uint16_t>(number(at, 2)); }
  uint32_t u32(size_t at) const { return static_cast<uint32_t>(number(at, 4)); }
  uint64_t u64(size_t at) const { return number(at, 8); }
  // `count` is 4 or 8.
  uint64_t number(size_t at, size_t count) const {
    uint64_t value = 0;
    for (size_t i = 0; i < count; ++i) {
      const size_t place = order_ == ByteOrder::kBig ? count - 1 - i : i;
      value |= static_cast<uint64_t>(bytes_[at + i]) << (8 * place);
    }
    return value;
  }

 private:
  Bytes bytes_;
  ByteOrder order_;
};

}  // namespace barefxt::host
