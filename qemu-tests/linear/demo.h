// The small demo, recorded into one run of memory and dumped after the stop.
#pragma once

#include "kernel/parameters.h"

namespace kernel::linear {

// Boots the scheduler and runs it. Of the parameters it knows `ring`.
//
// Beside the tally it prints what had been counted at the last tick before which nothing was lost,
//
//   FIRST switches count=X hash=0xH
//   FIRST interrupts count=X hash=0xH            without the exit from that tick
//   FIRST wakeups count=X hash=0xH
//   FIRST records count=X
//
// and, where something was, what was recorded at the first tick that found it:
//
//   FULL recorded=X
[[noreturn]] void demo(const Parameters& parameters);

}  // namespace kernel::linear
