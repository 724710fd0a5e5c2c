// A reset of the machine at every instruction of a write, in the place of an interrupt.
//
// The interrupt notes what is committed at that moment and resets the machine. The next boot
// recovers the trace, dumps it, and takes the dump apart: all that was committed is in it, word for
// word and in order, what was unfinished is reported as that, and losses are as they were. Then it
// goes on with the next instruction. How far it is stands in memory that no boot clears.
#pragma once

#include "kernel/parameters.h"

namespace kernel::sweep {

// Returns when all is done, after many boots. True: all was well.
bool reset_everywhere(const Parameters& parameters);

}  // namespace kernel::sweep
