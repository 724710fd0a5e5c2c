// The CPUs' counters compared, where each has its own.
#pragma once

namespace kernel {

// At boot, on all CPUs at about the same time, interrupts off. On others than CPU 0 `cpus` is the
// most that there may be.
void compare_clocks(unsigned cpus);

}  // namespace kernel
