// Mode "lives": processes are forked, execute programs, exit and are killed, and their numbers come
// again, in threads of all CPUs and in the interrupts of the timer, at any instruction of each
// other: in every mode of the rings, many more than the table of threads has entries.
//
// A process records an instant "said" whose arguments are true at that time: its koid, its
// process's, its name. So the host judges each event by itself. After each mode a line:
//
//   LIVES mode=M births=B said=S lost=L
//
// The dump or the stream of each mode goes, one behind the other, into the file trace.bin.
#pragma once

#include "kernel/parameters.h"

namespace kernel::lives {

// Creates the threads. At boot, on one CPU.
void create_threads(const Parameters& parameters);

}  // namespace kernel::lives
