// Devices of the Goldfish platform, whose registers are in the CPU's byte order.
#pragma once

#include <stdint.h>

namespace board {

inline volatile uint32_t& device_register(uintptr_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

inline constexpr uintptr_t kTty = 0xff008000;
inline constexpr uintptr_t kController = 0xff009000;  // of the machine as a whole

// Clocks in nanoseconds, with an alarm. Both are on the interrupt controller 6.
inline constexpr uintptr_t kClock = 0xff006000;
inline constexpr uintptr_t kOtherClock = 0xff007000;
namespace clock {
inline constexpr uintptr_t kTimeLow = 0x00;  // keeps the upper half for the next register
inline constexpr uintptr_t kTimeHigh = 0x04;
inline constexpr uintptr_t kAlarmLow = 0x08;  // sets the alarm
inline constexpr uintptr_t kAlarmHigh = 0x0c;
inline constexpr uintptr_t kInterruptOn = 0x10;
inline constexpr uintptr_t kClearAlarm = 0x14;
inline constexpr uintptr_t kClearInterrupt = 0x1c;
}  // namespace clock

inline constexpr uintptr_t kPic6 = 0xff005000;
namespace pic {
inline constexpr uintptr_t kPending = 0x04;
inline constexpr uintptr_t kEnable = 0x10;
}  // namespace pic

}  // namespace board
