// Taking COBS byte stuffing away again; wire/cobs.h puts it on.
#pragma once

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

struct CobsTask {
  std::span<const uint8_t> coded;
  uint8_t* decoded = nullptr;
  std::optional<size_t> bytes = {};  // the result
};

// Decodes several at once, kCobsTogether in little more than the time of one. The end of a block is
// known only when its begin has been loaded; the processor works on others while it waits for one.
inline constexpr size_t kCobsTogether = 6;
void cobs_decode_together(std::span<CobsTask> tasks);

}  // namespace barefxt::host
