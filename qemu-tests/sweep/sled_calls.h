// Functions with sleds, for sweeps of calls: each way in which a sled may record. Only in images
// that have sleds.
#pragma once

#include <stdint.h>

namespace kernel::sweep {

inline constexpr uint64_t kSweptArgument = 0x123456789abcdef0;
inline constexpr uint32_t kSweptType = 0x1234;
inline constexpr char kSweptPayload[] = "swept payload";  // with the zero behind it

// The strings that an event of a sled has, as records refer to them.
struct EventNames {
  uint32_t category;
  uint32_t custom;
  uint32_t typed;
};

struct SledCalls {
  void (*before)();
  void (*by_handler)();
  void (*by_other_thread)();
  // The interrupted functions: one that returns, ones that jump to another by its name and by its
  // address, one whose calls have an argument, and one that makes a custom and a typed event.
  void (*returning)();
  void (*jumping)();
  void (*jumping_to)(void (*to)());
  void (*taking)(uint64_t argument);
  void (*noting)();
  EventNames (*event_names)();
};
// Null: there are none.
[[gnu::weak]] extern const SledCalls sled_calls;

}  // namespace kernel::sweep
