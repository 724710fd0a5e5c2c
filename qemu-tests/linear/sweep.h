// An interrupt at every instruction of a runtime without segments, and what the ring holds then: in
// the places where a ring may stand, with handlers that write, fill the ring, stop the session and
// register a thread.
#pragma once

namespace kernel::linear {

// Prints SWEEP and HIT lines as other sweeps do. True: the ring was whole at each.
bool sweep();

}  // namespace kernel::linear
