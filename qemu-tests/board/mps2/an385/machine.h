// MPS2 with image AN385 or AN386 (Cortex-M3, M4): where things are.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../one_cpu.h"

namespace board {

inline constexpr char kName[] = "mps2-" BOARD_MACHINE;
inline constexpr uintptr_t kUart = 0x40004000;
inline constexpr uint32_t kTicksPerSecond = 25000000;  // of the CPU, SysTick and the timers
// See timer_fire_after; in quarters of a nanosecond.
inline constexpr uint32_t kTimerDelay = 0;
inline constexpr size_t kTraceBytes = size_t{4} << 20;

// The counter of the trace: CMSDK APB timer 0, which counts down, over all of its 32 bits.
inline void start_counter(unsigned /*cpu*/) {
  auto* const timer = reinterpret_cast<volatile uint32_t*>(0x40000000);
  timer[2] = 0xffffffff;  // RELOAD
  timer[1] = 0xffffffff;  // VALUE
  timer[0] = 1;           // CTRL: enable
}

}  // namespace board
