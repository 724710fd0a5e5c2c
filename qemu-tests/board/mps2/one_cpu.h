// Machines with one CPU: there is no other to start, or to send messages to.
#pragma once

#include <stdint.h>

namespace board {

inline constexpr uint32_t kMessageInterrupt = 30;
inline bool release_cpu(unsigned /*cpu*/, const void* /*vectors*/) { return false; }
inline void send_messages(unsigned /*cpu*/, uint32_t /*bits*/) {}
inline uint32_t messages(unsigned /*cpu*/) { return 0; }
inline void clear_messages(unsigned /*cpu*/, uint32_t /*bits*/) {}

}  // namespace board
