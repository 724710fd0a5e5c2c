// By how much a CPU's counter differs from that of CPU 0, as a session leaves it in memory: for who
// reads that at the next boot (recover.cpp), or without the target's help (rebuild --elf).
//
// Invariants: whole at any moment, since while it is stored its error is unknown. Written by the
// start of a session, and while there is one by the clock's own CPU when it has measured again.
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
