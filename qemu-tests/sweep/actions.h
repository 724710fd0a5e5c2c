// Actions that interrupt a writer in its middle.
#pragma once

#include "sweep/experiment.h"

namespace kernel::sweep {

// The interrupt writes ...
extern const Action kSameKind;  // what the interrupted code writes
extern const Action kCrossing;  // a record so large that it opens a segment
extern const Action kFilling;   // until the ring is full, or was overwritten all around

// The interrupt brings to an end what the place left unfinished, as a thread does that goes on.
extern const Action kFinish;

// Another interrupt strikes the first one, `parameter` ticks later; both write. If the board has
// nonmaskable interrupts, it is one, and the first one keeps interrupts off.
extern const Action kTwice;

// A first interrupt strikes at Experiment::first, another strikes that one later; both write.
extern const Action kWithin;

// A first interrupt strikes at Experiment::first, a second one later; both write.
extern const Action kAgain;

// The same, where the first stops the session, or takes a snapshot.
extern const Action kAfterStop;
extern const Action kAfterSnapshot;

// Interrupts strike and write again and again, `parameter` ticks apart: the interrupted code gets
// on by so little at a time that it loses every swap, until it gives up.
extern const Action kStorm;

// The interrupt stops the session; or starts the next one as well.
extern const Action kStop;
extern const Action kRestart;

// The interrupt takes a snapshot, which is let go behind the path; where the mode is streaming, it
// drains instead.
extern const Action kTakeOut;

// The interrupt switches to another thread, which was stopped `parameter` instructions into a write
// of its own, and finishes that before the interrupted thread goes on.
extern const Action kSwitch;
// Returns true if the other thread, stopped there, stands at the instruction by which it swaps the
// position; `done`: it had finished by then.
bool stops_at_swap(const Experiment& experiment, bool& done);

}  // namespace kernel::sweep
