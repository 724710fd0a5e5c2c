// A message of protocol buffers as it is written: fields by their numbers, one after another.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace barefxt::host {

class ProtoMessage {
 public:
  ProtoMessage& number(unsigned field, uint64_t value) {
    tag(field, kVarint);
    varint(value);
    return *this;
  }
  ProtoMessage& number(unsigned field, int64_t value) {
    return number(field, static_cast<uint64_t>(value));
  }
  ProtoMessage& fixed(unsigned field, uint64_t value) {
    tag(field, kFixed64);
    for (int shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(value >> shift);
    return *this;
  }
  ProtoMessage& real(unsigned field, double value) {
    return fixed(field, std::bit_cast<uint64_t>(value));
  }
  ProtoMessage& text(unsigned field, std::string_view value) {
    tag(field, kBytes);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  ProtoMessage& message(unsigned field, const ProtoMessage& value) {
    return text(field, value.bytes_);
  }

  // A packed list of one number.
  ProtoMessage& list(unsigned field, uint64_t value) {
    ProtoMessage content;
    content.varint(value);
    return message(field, content);
  }

  std::string_view bytes() const { return bytes_; }

 private:
  static constexpr unsigned kVarint = 0;
  static constexpr unsigned kFixed64 = 1;
  static constexpr unsigned kBytes = 2;

  void tag(unsigned field, unsigned kind) { varint(field << 3 | kind); }
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace barefxt::host
