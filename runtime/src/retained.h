// Variables that have to survive a reset for a trace to be read at the next boot: the descriptor,
// the rings' totals, the table of threads. The segments lie in the caller's memory.
//
// With BAREFXT_RETAINED these lie in a section of their own, which linker/barefxt_retained.ld keeps
// out of the sections that are cleared at boot. So before recover.cpp has looked at them they may
// hold anything.
#pragma once

#include <barefxt/config.h>

#if BAREFXT_RETAINED
#define BAREFXT_RETAINED_ __attribute__((section(".barefxt_retained")))
#else
#define BAREFXT_RETAINED_
#endif

namespace barefxt {

// To be called before anything retained is used: makes sure that it was looked at since boot.
#if BAREFXT_RETAINED
void prepare_retained();
#else
inline void prepare_retained() {}
#endif

// Counts the boots since the memory was last without power. The first number is random.
#if BAREFXT_RETAINED
uint32_t boots_since_power_on();
#else
inline uint32_t boots_since_power_on() { return 0; }
#endif

}  // namespace barefxt
