// CRC-32C at the speed a host can: with the CPU's own instruction where it has one, else eight
// bytes at a time from tables. The same value as wire/crc32c.h gives four bits at a time.
#pragma once

#include <cstdint>
#include <span>

namespace barefxt::host {

uint32_t crc32c(std::span<const uint8_t> bytes);

// The way without the instruction, which crc32c() takes by itself where it must.
uint32_t crc32c_by_table(std::span<const uint8_t> bytes);

}  // namespace barefxt::host
