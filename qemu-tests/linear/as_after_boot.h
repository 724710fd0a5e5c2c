// What nobody but a test may do: a runtime without segments records one session a boot, and is made
// here to forget that it did. Interrupts off.
#pragma once

namespace kernel::linear {

// As if it had never been started, with the threads that are registered.
void forget_session();

// With none. Whoever was registered registers again.
void forget_threads();

}  // namespace kernel::linear
