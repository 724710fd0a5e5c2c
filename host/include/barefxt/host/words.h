// A run of 64-bit words in either byte order, at any alignment, without copying it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <barefxt/fxt/field.h>

namespace barefxt::host {

using fxt::Word;

enum class ByteOrder : uint8_t { kLittle, kBig };
inline constexpr ByteOrder kOwnByteOrder =
    std::endian::native == std::endian::big ? ByteOrder::kBig : ByteOrder::kLittle;

inline Word load_word(const uint8_t* at, bool swap) {
  Word word = 0;
  std::memcpy(&word, at, sizeof word);
  return swap ? __builtin_bswap64(word) : word;
}

class Words {
 public:
  Words() = default;
  Words(const uint8_t* data, size_t count, bool swap) : data_(data), count_(count), swap_(swap) {}

  size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  Word operator[](size_t index) const { return load_word(data_ + index * fxt::kWordBytes, swap_); }
  Words from(size_t index) const {
    return {data_ + index * fxt::kWordBytes, count_ - index, swap_};
  }
  Words first(size_t count) const { return {data_, count, swap_}; }

  // The words as a stream, which has no byte order.
  std::string_view bytes() const {
    return {reinterpret_cast<const char*>(data_), count_ * fxt::kWordBytes};
  }

 private:
  const uint8_t* data_ = nullptr;
  size_t count_ = 0;
  bool swap_ = false;
};

}  // namespace barefxt::host
