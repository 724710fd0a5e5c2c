// MPS2 with image AN385 or AN386 (Cortex-M3, M4): where things are.
#pragma once

#include <stddef.h>
#include <stdint.h>

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

// There are no other CPUs.
inline constexpr uint32_t kMessageInterrupt = 30;
inline bool release_cpu(unsigned /*cpu*/, const void* /*vectors*/) { return false; }
inline void send_messages(unsigned /*cpu*/, uint32_t /*bits*/) {}
inline uint32_t messages(unsigned /*cpu*/) { return 0; }
inline void clear_messages(unsigned /*cpu*/, uint32_t /*bits*/) {}

}  // namespace board
