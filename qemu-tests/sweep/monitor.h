// Switches of threads by plain call and return, to a thread that stands between its exclusive load
// and its exclusive store. The porting guide has a rule for kernels that make such switches; this
// shows the consequence of breaking it. Machines whose swap is one instruction show nothing.
#pragma once

namespace kernel::sweep {

// Prints a line MONITOR switch=... cleared=0|1 for the kernel's own switch and one that does not
// clear the monitor, as the port's probe finds them, and a SWEEP line for each. The latter's sweep,
// whose action is "switch_without_clrex", is to go wrong if the compiler swaps by exclusive loads
// and stores. True: the kernel's own switch is sound, and the probe distinguishes the two.
bool switch_between_exclusives();

}  // namespace kernel::sweep
