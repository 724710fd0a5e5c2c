// The system control space of M-profile: SysTick, NVIC and the rest of what each such CPU has.
#pragma once

#include <stdint.h>

namespace board {

inline constexpr uintptr_t kSysTickControl = 0xe000e010;
inline constexpr uintptr_t kSysTickReload = 0xe000e014;
inline constexpr uintptr_t kSysTickValue = 0xe000e018;
inline constexpr uintptr_t kSetEnable = 0xe000e100;
inline constexpr uintptr_t kSetPending = 0xe000e200;
inline constexpr uintptr_t kPriorities = 0xe000e400;  // a byte each
inline constexpr uintptr_t kInterruptState = 0xe000ed04;
inline constexpr uint32_t kClearSysTick = 1U << 25;
inline constexpr uintptr_t kVectorTable = 0xe000ed08;
inline constexpr uintptr_t kInterruptAndReset = 0xe000ed0c;
inline constexpr uint32_t kResetKey = 0x05fa0000;
inline constexpr uint32_t kResetRequest = 1U << 2;
inline constexpr uintptr_t kConfiguration = 0xe000ed14;
inline constexpr uint32_t kTrapUnaligned = 1U << 3;
inline constexpr uintptr_t kSystemPriorities = 0xe000ed20;  // SysTick, PendSV, -, DebugMonitor
inline constexpr uintptr_t kFaultStatus = 0xe000ed28;

inline volatile uint32_t& system_control(uintptr_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

}  // namespace board
