// The world stopped: every other CPU held in a known state while one does something.
#pragma once

namespace kernel {

// Calls `action` while all other CPUs spin with interrupts off. They are caught where interrupts
// were on: outside of any critical section, so a tally and its trace record are both made or both
// not made. From a thread that holds no lock, one at a time.
void with_others_held(void (*action)());

// For the interrupt handler.
void stay_held();

}  // namespace kernel
