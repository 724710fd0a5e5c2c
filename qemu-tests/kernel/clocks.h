// The CPUs compared: their counters, where each has its own; and what the tracer's test of CPUs
// finds (barefxt_check_cpus).
#pragma once

namespace kernel {

// At boot, on all CPUs at about the same time, interrupts off. On others than CPU 0 `cpus` is the
// most that there may be.
void compare_clocks(unsigned cpus);

// At boot, on all CPUs, before the first session. On others than CPU 0, which knows how many there
// are, `cpus` is 0. If that says 1, they are not checked.
void check_cpus(unsigned cpus);

}  // namespace kernel
