// An interrupt at every instruction of a runtime without segments, and what the ring holds then: in
// the places where a ring may stand, with handlers that write, fill the ring, stop the session and
// register a thread.
#pragma once

#include <stdint.h>

namespace kernel::linear {

// Prints SWEEP and HIT lines as other sweeps do. With `every` greater than 1 interrupts come at
// each `every`-th instruction. True: the ring was whole at each.
bool sweep(uint32_t every);

}  // namespace kernel::linear
