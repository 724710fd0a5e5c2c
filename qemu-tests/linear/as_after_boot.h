// For tests only: a runtime without segments records one session a boot, and is made here to forget
// that it did. Interrupts off.
#pragma once

namespace kernel::linear {

// As if it had never been started, with the threads that are registered.
void forget_session();

// The table is then empty. Registered threads register again.
void forget_threads();

}  // namespace kernel::linear
