// Handlers of interrupts.
#pragma once

#include "kernel/board.h"

namespace kernel {

// Called at each interrupt of timer and reschedule, behind the board's interrupt_end, where it is
// not null. It may switch interrupts on for a while, so that others nest, but must come back with
// them off.
extern void (*at_interrupt)();

// Called at each nonmaskable interrupt, where it is not null: at any instruction of the kernel.
extern void (*at_nonmaskable)();

// Samples that the timer takes on each CPU in a period of the tick, 0 for none. They come at equal
// distances, the first with the tick: so they see all that happens at one distance from it in equal
// shares. Set it before other CPUs start theirs.
extern uint32_t samples_in_a_tick;

// If this is not null it is called instead of the scheduler's handler, between the board's
// interrupt_begin and the return from the interrupt: a sweep has no scheduler.
extern void (*interrupt_instead)(const board::Interrupt& interrupt);

}  // namespace kernel
