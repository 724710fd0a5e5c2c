// Interrupts calls that take, rename or leave an entry of the table of threads, at every
// instruction.
#pragma once

#include "kernel/parameters.h"

namespace kernel::sweep {

// A process that begins, is renamed or ends is interrupted by others that do so, one or some
// instructions later each time, in all modes, in a table that is full. Each process that exists
// then records its name; the host judges that (tests/lives_test.cpp). The captures go into the file
// trace.bin. A line for each pair and mode:
//
//   NAMES path=P action=A mode=M interrupts=N
//
// Interrupts come `later` than by `every` alone: so `every` boots come to each instruction.
void interrupt_names(uint32_t every, uint32_t later);

}  // namespace kernel::sweep
