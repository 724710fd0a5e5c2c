// The world stopped: every other CPU held in a known state while one does something.
#pragma once

namespace kernel {

// Calls `action` while all other CPUs spin with interrupts off. They are caught where interrupts
// were on: outside of any critical section, so a tally and its trace record are both made or both
// not made. From a thread that holds no lock, one at a time.
void with_others_held(void (*action)());

// Holds one CPU likewise, until all are released. From a thread on another CPU, one at a time, and
// not while the others are held.
void hold_cpu(unsigned cpu);
void release_cpus();

// For the interrupt handler.
void stay_held();

}  // namespace kernel
