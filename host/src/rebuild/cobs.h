// Taking COBS byte stuffing away again; wire/cobs.h puts it on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace barefxt::host {

// Bytes that a decoder may write behind what it decodes.
inline constexpr size_t kCobsReach = 0xff;

// Decodes the bytes between two zero bytes (`coded` holds none) and returns the number of decoded
// bytes. `decoded` has room for coded.size() + kCobsReach. Returns nothing if a block claims more
// bytes than are left.
std::optional<size_t> cobs_decode(std::span<const uint8_t> coded, uint8_t* decoded);

// Decodes two at once, in little more than the time of one. The end of a block is known only when
// its begin has been loaded; the processor works on one while it waits for the other.
std::array<std::optional<size_t>, 2> cobs_decode_two(std::span<const uint8_t> one,
                                                     uint8_t* decoded_one,
                                                     std::span<const uint8_t> two,
                                                     uint8_t* decoded_two);

}  // namespace barefxt::host
