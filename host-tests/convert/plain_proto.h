// Messages of protocol buffers, read in the plainest way and by no schema: fields by their numbers.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace barefxt::test {

class PlainProto {
 public:
  struct Field {
    uint64_t number = 0;
    unsigned kind = 0;  // 0 a number, 1 eight bytes, 2 text or a message
    uint64_t value = 0;
    std::string_view bytes;
  };

  // The bytes must outlive it.
  explicit PlainProto(std::string_view bytes) {
    while (!bytes.empty()) {
      Field field;
      uint64_t tag = 0;
      if (!varint(bytes, tag) || tag >> 3 == 0) return;
      field.number = tag >> 3;
      field.kind = tag & 7;
      if (field.kind == 0) {
        if (!varint(bytes, field.value)) return;
      } else if (field.kind == 1 && bytes.size() >= 8) {
        std::memcpy(&field.value, bytes.data(), 8);
        bytes.remove_prefix(8);
      } else if (field.kind == 2) {
        uint64_t size = 0;
        if (!varint(bytes, size) || size > bytes.size()) return;
        field.bytes = bytes.substr(0, size);
        bytes.remove_prefix(size);
      } else {
        return;
      }
      fields_.push_back(field);
    }
    whole_ = true;
  }

  // Returns true if all of it was fields.
  bool whole() const { return whole_; }
  const std::vector<Field>& fields() const { return fields_; }
  std::vector<Field> all(uint64_t number) const {
    std::vector<Field> found;
    for (const Field& field : fields_)
      if (field.number == number) found.push_back(field);
    return found;
  }
  bool has(uint64_t number) const { return !all(number).empty(); }
  // The value of the last such field; nothing (0, "") if there is none.
  uint64_t number(uint64_t number) const {
    const auto found = all(number);
    return found.empty() ? 0 : found.back().value;
  }
  std::string text(uint64_t number) const {
    const auto found = all(number);
    return found.empty() ? std::string() : std::string(found.back().bytes);
  }
  PlainProto message(uint64_t number) const {
    const auto found = all(number);
    return PlainProto(found.empty() ? std::string_view() : found.back().bytes);
  }
  double real(uint64_t number) const {
    const uint64_t bits = this->number(number);
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

 private:
  static bool varint(std::string_view& bytes, uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 70 && !bytes.empty(); shift += 7) {
      const auto byte = static_cast<uint8_t>(bytes.front());
      bytes.remove_prefix(1);
      value |= uint64_t{byte & 0x7fU} << (shift < 64 ? shift : 0);
      if (byte < 0x80) return true;
    }
    return false;
  }

  std::vector<Field> fields_;
  bool whole_ = false;
};

}  // namespace barefxt::test
