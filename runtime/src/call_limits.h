// Calls that are left out on the target, being short or deep (barefxt_limit_calls). A thread whose
// calls are limited has a stack of its open calls. A call is recorded when it ends, with its begin,
// as one record (CallRecord, complete). So a call that is left out never was in the ring. Nothing
// has to be taken out of the ring again, which others may be reading meanwhile.
//
// Invariants:
// - Every call that is entered while calls are limited is, in the end, one of: recorded, lost by
//   the ring, left out and counted as short, deep or without an end, or open at the stop.
// - A thread's stack is used by one CPU at a time, the one that the thread runs on, and there by
//   contexts that nest. Depth is stored before an entry, and read before it is left. So a context
//   that comes in between leaves depth and entries below as they were.
// - No index is taken from a stack without a look at its depth. So a switch that the kernel did not
//   report loses calls, and never touches memory outside.
// - While calls are limited none has one word (call_base.h): the undisturbed path finds no base,
//   and comes here. So images without limits pay nothing for them.
#pragma once

#include <barefxt/atomic.h>
#include <barefxt/features.h>
#include <barefxt/fxt/ring_record.h>

namespace barefxt {

// They change only while nothing is recorded, and no hook is at work that found that it was.
struct CallLimits {
  uint64_t least_ticks = 0;
  uint8_t* memory = nullptr;
  uint32_t deepest = 0;
  Relaxed<uint32_t> threads;  // that there is a stack for, by their index; 0: no limits
};
[[gnu::visibility("hidden")]] extern CallLimits call_limits;

inline bool are_calls_limited() { return call_limits.threads != 0; }

// Takes an entry or exit, with the header of the short form. False: calls of the thread that runs
// are not limited. Context: any.
bool take_limited_call(fxt::Word header);

// Before a session starts.
void forget_open_calls();
// Before a thread takes this index over: calls that its last owner did not end never will.
void forget_open_calls_of(uint32_t index);

}  // namespace barefxt
