// Taking COBS byte stuffing away again; wire/cobs.h puts it on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace barefxt::host {

// What cobs_decode() may write beyond the decoded bytes, for the sake of speed.
inline constexpr size_t kCobsSlackBytes = 16;

// Decodes what stood between two zero bytes (so `coded` holds none) and returns the number of
// bytes. `decoded` has room for coded.size() + kCobsSlackBytes. Nothing where a block says that it
// is longer than what is there.
std::optional<size_t> cobs_decode(std::span<const uint8_t> coded, uint8_t* decoded);

}  // namespace barefxt::host
