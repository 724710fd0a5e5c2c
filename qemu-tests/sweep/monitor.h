// Switches of threads by plain call and return, to a thread that stands between its exclusive load
// and its exclusive store: what the porting guide asks of a kernel that makes such switches, and
// what comes of it where one does not. On machines whose swap is one instruction there is nothing
// to see.
#pragma once

namespace kernel::sweep {

// Prints a line MONITOR switch=... cleared=0|1 for the kernel's own switch and one that does not
// clear the monitor, as the port's probe finds them, and a SWEEP line for each. The latter's sweep,
// whose action is "switch_without_clrex", is to go wrong if the compiler swaps by exclusive loads
// and stores. True: the kernel's own switch is sound, and the probe distinguishes the two.
bool switch_between_exclusives();

}  // namespace kernel::sweep
