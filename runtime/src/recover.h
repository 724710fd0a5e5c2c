// A trace that survived a reset: found at boot, held until it is sent and let go.
#pragma once

#include <stddef.h>

#include <barefxt/config.h>

namespace barefxt {

// Returns true if a recovered trace lies, in part or whole, in this memory.
#if BAREFXT_RETAINED
bool holds_recovered_trace(const void* memory, size_t bytes);
#else
inline bool holds_recovered_trace(const void* /*memory*/, size_t /*bytes*/) { return false; }
#endif

}  // namespace barefxt
