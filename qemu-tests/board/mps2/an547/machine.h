// MPS3 with image AN547 (Cortex-M55, in its secure state): where things are.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../one_cpu.h"

namespace board {

inline constexpr char kName[] = "mps3-" BOARD_MACHINE;
inline constexpr uintptr_t kUart = 0x59303000;
inline constexpr uint32_t kTicksPerSecond = 32000000;  // of the CPU, SysTick and the counter
// See timer_fire_after; in quarters of a nanosecond.
inline constexpr uint32_t kTimerDelay = 32;
inline constexpr size_t kTraceBytes = size_t{4} << 20;

// The counter of the trace: the lower half of the system's.
inline void start_counter(unsigned /*cpu*/) {
  *reinterpret_cast<volatile uint32_t*>(0x58100000) = 1;  // CNTCR: enable
}

}  // namespace board
