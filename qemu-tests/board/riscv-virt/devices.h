// Access to device registers, and where those are that several files use.
#pragma once

#include <stdint.h>

namespace board {

inline void write_register(uintptr_t address, uint32_t value) {
  *reinterpret_cast<volatile uint32_t*>(address) = value;
}
inline uint32_t read_register(uintptr_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

unsigned hart_of(unsigned cpu);

void set_timer_compare(unsigned hart, uint64_t ticks);
uint64_t timer_compare(unsigned hart);
void set_software_interrupt(unsigned hart, bool raised);

inline constexpr uint64_t kNever = ~uint64_t{0};

}  // namespace board
