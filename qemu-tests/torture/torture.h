// Mode "torture": all contexts of all CPUs write at once, in one mode of the rings after the other,
// and the kernel itself reads what is recorded, while it goes on and after it.
//
// Threads write, more of them than there are CPUs, so that the timer takes CPUs from them in the
// middle and gives them others; the interrupts of timer and other CPUs write, with interrupts on;
// and interrupts that nest into those. For each mode a line is printed:
//
//   TORTURE on=B mode=M cpus=C writers=W attempted=X read=R lost=L overwritten=O contended=K
//   migrated=G nested=N result=ok|WHAT IS WRONG
//
// in one line, where X = R + L + O counts the kernel's own records (switches, interrupts, wakeups)
// in; K: records during which another writer reserved in the same ring;
// G: records after which their writer was on another CPU than before; N: interrupts that
// interrupted another. The last trace, a circular one, is then dumped for the host.
#pragma once

#include "kernel/parameters.h"

namespace kernel::torture {

// Creates the thread that conducts it. At boot, on one CPU.
void create_first_thread(const Parameters& parameters);

}  // namespace kernel::torture
