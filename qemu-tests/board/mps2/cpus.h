// Messages between the CPUs of a board.
#pragma once

#include <stdint.h>

namespace board {

// Bits of a message from another CPU.
inline constexpr uint32_t kRescheduleMessage = 1;
inline constexpr uint32_t kParkMessage = 2;
inline constexpr uint32_t kStopMessage = 4;

// Interrupts off: this CPU does nothing any more.
[[noreturn]] void stay_stopped();

}  // namespace board
