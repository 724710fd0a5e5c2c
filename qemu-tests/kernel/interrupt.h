// What else happens at an interrupt.
#pragma once

namespace kernel {

// Called at each interrupt of timer and reschedule, behind the board's interrupt_end, where it is
// not null. It may switch interrupts on for a while, so that others nest, but must come back with
// them off.
extern void (*at_interrupt)();

}  // namespace kernel
