// UTF-8 in a run of bytes (RFC 3629: no surrogates, no overlong forms, nothing above U+10FFFF).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace barefxt::host {

bool is_utf8(std::span<const uint8_t> bytes);

// Replaces each byte that is in no UTF-8 sequence by `?`, so that the length stays as it is, and
// returns how many it replaced.
size_t repair_utf8(std::span<uint8_t> bytes);

// The longest length up to `limit` that cuts no sequence of a valid UTF-8 text in two.
size_t utf8_cut(std::span<const uint8_t> bytes, size_t limit);

// The same for text, which comes back cut.
inline std::string_view utf8_cut(std::string_view text, size_t limit) {
  if (text.size() <= limit) return text;
  return text.substr(0,
                     utf8_cut({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, limit));
}

}  // namespace barefxt::host
