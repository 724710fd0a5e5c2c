// A probe between two readings of the clock, which give the test bounds for its time.
#pragma once

namespace kernel::workload {

// An instant between two readings of the counter, which the tally keeps. As many as it has room
// for.
void bracketed_probe();

}  // namespace kernel::workload
