// Taking an entry of the table of threads if recording is one run of memory, see linear.h.
//
// All is inlined: most images have one caller, and others have them in other files.
#pragma once

#include <barefxt/atomic.h>

#include "cut_text.h"
#include "linear.h"

#if BAREFXT_LINEAR
namespace barefxt::linear {

[[gnu::always_inline]] inline void publish(Entry& entry, wire::ThreadsEntryKind kind,
                                           const char* name) {
  char* to = entry.name;
  uint32_t left = Entry::kNameBytes + 1;
  while (name != nullptr) {
    const char next = *name++;
    *to++ = next;
    if (next == 0) break;
    if (--left != 0) continue;
    count_cut();
    break;
  }
  entry.kind.store_release(static_cast<uint32_t>(kind));
}

// Returns the index, 0 if there is no entry left.
[[gnu::always_inline]] inline uint32_t enter(wire::ThreadsEntryKind kind, uint32_t process,
                                             uint32_t koid, const char* name) {
  PositionWord at = 0;
  do {
    at = begin_swap(threads.taken);
    if (at >= BAREFXT_MAX_THREADS) return 0;
  } while (!end_swap(threads.taken, at, at + 1));
  Entry* entry_address = &threads.entries[at];
  // A pointer from here on: from an array and an index GCC computes each member's address anew.
  __asm__("" : "+r"(entry_address));
  Entry& entry = *entry_address;
  entry.koid = koid;
  entry.process = process;
  publish(entry, kind, name);
  return static_cast<uint32_t>(at) + 1;
}

}  // namespace barefxt::linear
#endif
