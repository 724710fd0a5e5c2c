// The difference of a CPU's counter from that of CPU 0, as a session leaves it in memory. The next
// boot reads it (recover.cpp), or the host without the target's help (rebuild --elf).
//
// Invariants: it is whole at any moment, since its error is unknown while it is stored. The start
// of a session writes it, and during a session the clock's own CPU after each new measurement.
#pragma once

#include <stdint.h>

namespace barefxt {

struct StoredClockOffset {
  static constexpr uint32_t kUnknownError = 0xffffffff;

  uint64_t ticks;  // what to add to this CPU's counter to have CPU 0's
  uint32_t error;  // by how much that may be wrong, either way, in ticks; or kUnknownError
  uint32_t reserved;
};
static_assert(sizeof(StoredClockOffset) == 16, "the same on every target");

}  // namespace barefxt
