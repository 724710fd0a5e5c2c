// Access to device registers, and to the host behind semihosting.
#pragma once

#include <stdint.h>

namespace board {

inline void write_register(uintptr_t address, uint32_t value) {
  *reinterpret_cast<volatile uint32_t*>(address) = value;
}
inline uint32_t read_register(uintptr_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

// The block's layout depends on the operation: Arm's "Semihosting for AArch32 and AArch64".
uintptr_t semihosting(uint32_t operation, const void* block);

}  // namespace board
