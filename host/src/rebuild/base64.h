// Strict base64 (RFC 4648, section 4): no line breaks, padding required, unused bits zero. So a
// text has one meaning at most, and bytes have one text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace barefxt::host {

// How many characters at the start of the text belong to base64's alphabet, `=` included.
size_t base64_run(std::string_view text);

// Returns the number of bytes; `decoded` has room for text.size() / 4 * 3. Nothing where the text
// is not strict base64.
std::optional<size_t> base64_decode(std::string_view text, uint8_t* decoded);

}  // namespace barefxt::host
