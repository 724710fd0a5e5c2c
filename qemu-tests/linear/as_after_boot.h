// For tests only: a runtime without segments records one session a boot, and is made here to forget
// that it did. Interrupts off.
#pragma once

namespace kernel::linear {

// Puts the runtime into its state before the first start, with the threads that are registered.
void forget_session();

// The table is then empty. Registered threads register again.
void forget_threads();

}  // namespace kernel::linear
