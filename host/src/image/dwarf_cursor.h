// Reads one section of DWARF from a place on.
//
// Invariant: behind the section's end all reads yield 0, and has_failed() is true.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include <barefxt/host/words.h>

#include "fields.h"

namespace barefxt::host {

class DwarfCursor {
 public:
  DwarfCursor(Bytes bytes, uint64_t at, ByteOrder order)
      : bytes_(bytes), fields_(bytes, order), at_(at) {
    if (at > bytes.size()) fail();
  }

  bool has_failed() const { return has_failed_; }
  bool is_at_end() const { return has_failed_ || at_ >= bytes_.size(); }
  uint64_t at() const { return at_; }
  void go_to(uint64_t at) {
    at_ = at;
    if (at > bytes_.size()) fail();
  }
  void skip(uint64_t count) {
    if (take(count)) at_ += count;
  }
  // Nothing behind this place is read from here on.
  void end_at(uint64_t end) {
    if (end > bytes_.size()) return fail();
    bytes_ = bytes_.first(static_cast<size_t>(end));
  }

  // `count`: 1 to 8.
  uint64_t number(unsigned count) {
    if (!take(count)) return 0;
    uint64_t value = 0;
    switch (count) {
      case 1:
        value = fields_.u8(static_cast<size_t>(at_));
        break;
      case 2:
        value = fields_.u16(static_cast<size_t>(at_));
        break;
      case 3:
        for (unsigned i = 0; i < 3; ++i)
          value |= uint64_t{fields_.u8(static_cast<size_t>(at_ + i))} << (8 * i);
        break;
      default:
        value = fields_.number(static_cast<size_t>(at_), count);
        break;
    }
    at_ += count;
    return value;
  }
  uint64_t leb() { return leb(false); }
  int64_t signed_leb() { return static_cast<int64_t>(leb(true)); }
  std::string_view text() {
    if (!take(0)) return {};
    const auto begin = bytes_.begin() + static_cast<ptrdiff_t>(at_);
    const auto end = std::find(begin, bytes_.end(), uint8_t{0});
    if (end == bytes_.end()) {
      fail();
      return {};
    }
    const auto size = static_cast<size_t>(end - begin);
    const std::string_view text(reinterpret_cast<const char*>(bytes_.data() + at_), size);
    at_ += size + 1;
    return text;
  }
  // A length, which decides the size of offsets: 4 or 8 bytes.
  uint64_t length(unsigned& offset_bytes) {
    constexpr uint64_t kIsLong = 0xffffffff;
    const uint64_t length = number(4);
    offset_bytes = length == kIsLong ? 8 : 4;
    return length == kIsLong ? number(8) : length;
  }

 private:
  bool take(uint64_t count) {
    if (has_failed_ || count > bytes_.size() - at_) {
      fail();
      return false;
    }
    return true;
  }
  void fail() {
    has_failed_ = true;
    at_ = bytes_.size();
  }
  uint64_t leb(bool is_signed) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint64_t byte = number(1);
      if (has_failed_) return 0;
      if (shift < 64) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (is_signed && (byte & 0x40) != 0 && shift + 7 < 64) value |= ~uint64_t{0} << (shift + 7);
        return value;
      }
    }
  }

  Bytes bytes_;
  ImageFields fields_;
  uint64_t at_;
  bool has_failed_ = false;
};

// The text at a place of a section of texts.
inline std::string_view dwarf_text(Bytes texts, uint64_t at) {
  return DwarfCursor(texts, at, ByteOrder::kLittle).text();
}

}  // namespace barefxt::host
