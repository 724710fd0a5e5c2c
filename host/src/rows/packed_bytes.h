// Numbers and texts behind one another, for another process of the same program.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace barefxt::host {

template <typename Value>
void pack(std::string& bytes, Value value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

inline void pack_text(std::string& bytes, std::string_view text) {
  pack(bytes, uint64_t{text.size()});
  bytes += text;
}

// These take the value from the beginning, or return nothing if it is not there whole.
template <typename Value>
std::optional<Value> unpack(std::string_view& bytes) {
  Value value{};
  if (bytes.size() < sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

inline std::optional<std::string_view> unpack_text(std::string_view& bytes) {
  const auto size = unpack<uint64_t>(bytes);
  if (!size || *size > bytes.size()) return std::nullopt;
  const std::string_view text = bytes.substr(0, *size);
  bytes.remove_prefix(*size);
  return text;
}

}  // namespace barefxt::host
