// The parts of the architecture that arm-virt/ needs: the virtual timer, and calls of PSCI.
#pragma once

#include <stdint.h>

namespace board {

inline uint32_t counter_frequency() {
  uint32_t hertz = 0;
  asm volatile("mrc p15, 0, %0, c14, c0, 0" : "=r"(hertz));
  return hertz;
}

inline uint64_t timer_compare() {
  uint32_t low = 0;
  uint32_t high = 0;
  asm volatile("mrrc p15, 3, %0, %1, c14" : "=r"(low), "=r"(high));
  return uint64_t{high} << 32 | low;
}
inline void set_timer_compare(uint64_t value) {
  const auto low = static_cast<uint32_t>(value);
  const auto high = static_cast<uint32_t>(value >> 32);
  asm volatile("mcrr p15, 3, %0, %1, c14\n\tisb" : : "r"(low), "r"(high) : "memory");
}
inline void set_timer_control(uintptr_t value) {
  asm volatile("mcr p15, 0, %0, c14, c3, 1\n\tisb" : : "r"(value) : "memory");
}

// By the 32-bit calling convention.
inline constexpr uintptr_t kPsciCpuOn = 0x84000003;

inline intptr_t psci(uintptr_t function, uintptr_t a, uintptr_t b, uintptr_t c) {
  register uint32_t r0 asm("r0") = function;
  register uint32_t r1 asm("r1") = a;
  register uint32_t r2 asm("r2") = b;
  register uint32_t r3 asm("r3") = c;
  asm volatile(".arch_extension virt\n\thvc #0"
               : "+r"(r0), "+r"(r1), "+r"(r2), "+r"(r3)
               :
               : "memory");
  return static_cast<intptr_t>(r0);
}

}  // namespace board
