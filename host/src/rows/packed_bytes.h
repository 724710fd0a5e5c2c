// Numbers and texts behind one another, for another process of the same program.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace barefxt::host {

template <typename Value>
void pack(std::string& bytes, Value value) {
  const auto raw = std::bit_cast<std::array<char, sizeof value>>(value);
  bytes.append(raw.data(), raw.size());
}

inline void pack_text(std::string& bytes, std::string_view text) {
  pack(bytes, uint64_t{text.size()});
  bytes += text;
}

// These take the value from the beginning, or return nothing if it is not there whole.
template <typename Value>
std::optional<Value> unpack(std::string_view& bytes) {
  std::array<char, sizeof(Value)> raw{};
  if (bytes.copy(raw.data(), raw.size()) < raw.size()) return std::nullopt;
  bytes.remove_prefix(raw.size());
  return std::bit_cast<Value>(raw);
}

inline std::optional<std::string_view> unpack_text(std::string_view& bytes) {
  const auto size = unpack<uint64_t>(bytes);
  if (!size || *size > bytes.size()) return std::nullopt;
  const std::string_view text = bytes.substr(0, *size);
  bytes.remove_prefix(*size);
  return text;
}

}  // namespace barefxt::host
