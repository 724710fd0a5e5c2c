// The parts of the architecture that arm-virt/ needs: the virtual timer, and calls of PSCI.
#pragma once

#include <stdint.h>

namespace board {

inline uint32_t counter_frequency() {
  uint64_t hertz = 0;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(hertz));
  return static_cast<uint32_t>(hertz);
}

inline uint64_t timer_compare() {
  uint64_t value = 0;
  asm volatile("mrs %0, cntv_cval_el0" : "=r"(value));
  return value;
}
inline void set_timer_compare(uint64_t value) {
  asm volatile("msr cntv_cval_el0, %0\n\tisb" : : "r"(value) : "memory");
}
inline void set_timer_control(uintptr_t value) {
  asm volatile("msr cntv_ctl_el0, %0\n\tisb" : : "r"(value) : "memory");
}

// By the 64-bit calling convention.
inline constexpr uintptr_t kPsciCpuOn = 0xc4000003;

inline intptr_t psci(uintptr_t function, uintptr_t a, uintptr_t b, uintptr_t c) {
  register uint64_t x0 asm("x0") = function;
  register uint64_t x1 asm("x1") = a;
  register uint64_t x2 asm("x2") = b;
  register uint64_t x3 asm("x3") = c;
  asm volatile("hvc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3) : : "memory");
  return static_cast<intptr_t>(x0);
}

}  // namespace board
