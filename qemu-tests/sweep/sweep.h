// Mode "sweep": an interrupt at every instruction.
//
// QEMU's `-icount shift=4` makes one tick of the counter one instruction. The timer is set to
// strike k ticks later, k = 1, 2, 3, ..., until it comes after the end of the path. With any action
// of the interrupt, the ring must hold all written records, whole and in order, or have counted
// them as lost.
#pragma once

#include "kernel/parameters.h"

namespace kernel::sweep {

// True: all was well.
bool run(const Parameters& parameters);

}  // namespace kernel::sweep
