// The small demo, recorded into one run of memory and dumped after the stop.
#pragma once

#include "kernel/parameters.h"

namespace kernel::linear {

// Boots the scheduler and runs it. The only parameter that it reads is `ring`.
//
// Beside the tally it prints the counts at the last tick before which nothing was lost,
//
//     FIRST switches count=X hash=0xH
//     FIRST interrupts count=X hash=0xH            without the exit from that tick
//     FIRST wakeups count=X hash=0xH
//     FIRST records count=X
//
// and, if something was lost, the records at the first tick that found it:
//
//     FULL recorded=X
[[noreturn]] void demo(const Parameters& parameters);

}  // namespace kernel::linear
