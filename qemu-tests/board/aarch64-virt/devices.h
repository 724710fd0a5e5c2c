// Access to device registers.
#pragma once

#include <stdint.h>

namespace board {

inline void write_register(uintptr_t address, uint32_t value) {
  *reinterpret_cast<volatile uint32_t*>(address) = value;
}
inline uint32_t read_register(uintptr_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

}  // namespace board
