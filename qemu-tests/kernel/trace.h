// The kernel's own events: each is counted and traced here, at one place.
//
// Interrupts are off in all of these, so that on a CPU the order of tallies is the order of
// records.
#pragma once

#include "kernel/categories.h"
#include "kernel/tally.h"
#include "kernel/thread.h"

namespace kernel::trace {

// Run lock held.
inline void context_switch(unsigned cpu, const Thread& out, barefxt_thread_state state,
                           const Thread& in) {
  tally::context_switch(cpu, out, state, in);
  barefxt_context_switch(&out.trace, state, &in.trace);
}

// Run lock held.
inline void wakeup(unsigned cpu, const Thread& thread) {
  tally::wakeup(cpu, thread);
  barefxt_thread_wakeup(&thread.trace);
}

// These are always inlined: a call that an image traces cannot begin on one side of an interrupt's
// begin or end, and end on the other.
[[gnu::always_inline]] inline void timer_enter(unsigned cpu, uint32_t number) {
  tally::interrupt(cpu, number, tally::InterruptPhase::kEnter);
  BAREFXT_IRQ_ENTER("timer", BAREFXT_ARG_U32("irq", number));
}
[[gnu::always_inline]] inline void timer_exit(unsigned cpu, uint32_t number) {
  tally::interrupt(cpu, number, tally::InterruptPhase::kExit);
  BAREFXT_IRQ_EXIT("timer");
}

[[gnu::always_inline]] inline void reschedule_enter(unsigned cpu, uint32_t number) {
  tally::interrupt(cpu, number, tally::InterruptPhase::kEnter);
  BAREFXT_IRQ_ENTER("reschedule", BAREFXT_ARG_U32("irq", number));
}
[[gnu::always_inline]] inline void reschedule_exit(unsigned cpu, uint32_t number) {
  tally::interrupt(cpu, number, tally::InterruptPhase::kExit);
  BAREFXT_IRQ_EXIT("reschedule");
}

}  // namespace kernel::trace
