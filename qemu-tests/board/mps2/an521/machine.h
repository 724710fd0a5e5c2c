// MPS2+ with image AN521, two Cortex-M33 in their secure states, or AN505, which has one: where
// things are.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace board {

inline constexpr char kName[] = "mps2-" BOARD_MACHINE;
inline constexpr uintptr_t kUart = 0x50200000;
inline constexpr uint32_t kTicksPerSecond = 20000000;  // of the CPUs, SysTick and the timers
// See timer_fire_after; in quarters of a nanosecond.
inline constexpr uint32_t kTimerDelay = 0;
inline constexpr size_t kTraceBytes = size_t{4} << 20;

inline volatile uint32_t& machine_register(uintptr_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

// The counter of the trace: CMSDK APB timer 0 for CPU 0 and timer 1 for CPU 1, which count down
// over all of their 32 bits. Each from when its CPU starts, and from somewhere else: so they are
// never in step.
inline void start_counter(unsigned cpu) {
  constexpr uintptr_t kTimers = 0x50000000;
  constexpr uintptr_t kStride = 0x1000;
  const uintptr_t timer = kTimers + cpu * kStride;
  machine_register(timer + 8) = 0xffffffff;                     // RELOAD
  machine_register(timer + 4) = 0xffffffff - cpu * 1000000000;  // VALUE
  machine_register(timer + 0) = 1;                              // CTRL: enable
}

// The system control block: where the other CPU finds its vectors, and what holds it.
inline bool release_cpu(unsigned cpu, const void* vectors) {
  constexpr uintptr_t kInitialVectorsOfCpu1 = 0x50021114;
  constexpr uintptr_t kCpuWait = 0x50021118;
  if (cpu != 1) return false;
  machine_register(kInitialVectorsOfCpu1) = reinterpret_cast<uintptr_t>(vectors);
  asm volatile("dsb" : : : "memory");
  machine_register(kCpuWait) = 0;
  return true;
}

// Message handling unit 0: a word for each CPU, which interrupts it while it is not zero.
inline constexpr uint32_t kMessageInterrupt = 6;
inline constexpr uintptr_t kMessages = 0x50003000;
inline constexpr uintptr_t kMessagesStride = 0x10;  // from CPU to CPU
inline uint32_t messages(unsigned cpu) {
  return machine_register(kMessages + cpu * kMessagesStride);
}
inline void send_messages(unsigned cpu, uint32_t bits) {
  machine_register(kMessages + cpu * kMessagesStride + 4) = bits;
}
inline void clear_messages(unsigned cpu, uint32_t bits) {
  machine_register(kMessages + cpu * kMessagesStride + 8) = bits;
}

}  // namespace board
