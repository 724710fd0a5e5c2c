// I/O ports.
#pragma once

#include <stdint.h>

namespace board {

inline uint8_t in8(uint16_t port) {
  uint8_t value = 0;
  asm volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
  return value;
}
inline uint32_t in32(uint16_t port) {
  uint32_t value = 0;
  asm volatile("inl %1, %0" : "=a"(value) : "Nd"(port));
  return value;
}
inline void out8(uint16_t port, uint8_t value) {
  asm volatile("outb %0, %1" : : "a"(value), "Nd"(port) : "memory");
}
inline void out16(uint16_t port, uint16_t value) {
  asm volatile("outw %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

}  // namespace board
