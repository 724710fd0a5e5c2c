// Access to device registers. They are little-endian, also if the CPU's data accesses are not.
#pragma once

#include <stdint.h>

namespace board {

inline uint32_t little_endian(uint32_t value) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return __builtin_bswap32(value);
#else
  return value;
#endif
}
inline void write_register(uintptr_t address, uint32_t value) {
  *reinterpret_cast<volatile uint32_t*>(address) = little_endian(value);
}
inline uint32_t read_register(uintptr_t address) {
  return little_endian(*reinterpret_cast<volatile uint32_t*>(address));
}

}  // namespace board
