// Nordic's nRF51: where things are.
#pragma once

#include <stdint.h>

namespace board {

inline constexpr uintptr_t kUart = 0x40002000;
inline constexpr uint32_t kMegabaud = 0x10000000;

// Timer 0, which makes the kernel's tick, since SysTick is the counter.
inline constexpr uint32_t kTimerInterrupt = 8;
inline constexpr uintptr_t kTimer0 = 0x40008000;
inline constexpr uintptr_t kTimerStart = kTimer0 + 0x000;
inline constexpr uintptr_t kTimerStop = kTimer0 + 0x004;
inline constexpr uintptr_t kTimerClear = kTimer0 + 0x00c;
inline constexpr uintptr_t kTimerCompared = kTimer0 + 0x140;
inline constexpr uintptr_t kTimerShorts = kTimer0 + 0x200;
inline constexpr uint32_t kClearWhenCompared = 1U << 0;
inline constexpr uint32_t kStopWhenCompared = 1U << 8;
inline constexpr uintptr_t kTimerEnableInterrupt = kTimer0 + 0x304;
inline constexpr uintptr_t kTimerDisableInterrupt = kTimer0 + 0x308;
inline constexpr uint32_t kCompared = 1U << 16;
inline constexpr uintptr_t kTimerBits = kTimer0 + 0x508;
inline constexpr uint32_t k32Bits = 3;
inline constexpr uintptr_t kTimerPrescaler = kTimer0 + 0x510;
inline constexpr uintptr_t kTimerCompare = kTimer0 + 0x540;

// The software interrupt "SWI 0".
inline constexpr uint32_t kSoftwareInterrupt = 20;

// The system control space, as of M-profile without what v6-M has not.
inline constexpr uintptr_t kSysTickControl = 0xe000e010;
inline constexpr uint32_t kSysTickOn = 5;  // by the CPU's clock, without its interrupt
inline constexpr uintptr_t kSysTickReload = 0xe000e014;
inline constexpr uintptr_t kSysTickValue = 0xe000e018;
inline constexpr uintptr_t kSetEnable = 0xe000e100;
inline constexpr uintptr_t kSetPending = 0xe000e200;
inline constexpr uintptr_t kClearPending = 0xe000e280;
inline constexpr uintptr_t kPriorities = 0xe000e400;  // four a word, whole words only
inline constexpr uintptr_t kInterruptAndReset = 0xe000ed0c;
inline constexpr uint32_t kResetKey = 0x05fa0000;
inline constexpr uint32_t kResetRequest = 1U << 2;

inline volatile uint32_t& device(uintptr_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

}  // namespace board
