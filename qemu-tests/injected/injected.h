// Mode "injected": twelve kinds of causes make a thread late, one at a time, again and again with
// other lengths. Right ahead of each an instant of the category `probe`
//
//   injected   arguments cause: its number among injected::Cause; ticks: how long it is to last,
//              at most if the cause is kTick
//
// says what will be to blame; the host asks `barefxt explain`, which knows nothing of it. The
// thread that is late is "victim". All CPUs but one, or two where the cause needs them, are kept
// busy by threads above all others, so that the rest of the threads meet on one CPU.
//
// The trace goes into the file trace.bin. Needs four CPUs or more.
#pragma once

#include "kernel/parameters.h"

namespace kernel::injected {

// In this order on the host, too: tests/injected_test.cpp.
enum class Cause : uint8_t {
  kHeldLock,      // "low" holds lock "outer", and runs
  kInversion,     // "low" holds it, and "mid", of a priority in between, runs
  kMasked,        // "low" runs with interrupts off, and wakes the victim itself
  kLongHandler,   // of the timer, with others nested in it
  kStorm,         // interrupts "reschedule" one behind the other
  kNotPreempted,  // "low" runs with switches off, and interrupts on
  kAffinity,      // the CPU that the victim ran on last idles, and it waits for one with "high"
  kLateWakeup,    // the CPU idles: the interrupt for it is held back
  kTick,          // "peer", of the same priority, runs until its tick is over
  kStall,         // the timer's handler does not come back
  kStarvation,    // "high" runs
  kChain,         // of three locks, behind which "low" runs
  kCount
};

// Creates the threads. At boot, on one CPU.
void create_threads(const Parameters& parameters);

}  // namespace kernel::injected
