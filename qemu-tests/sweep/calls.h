// Calls of functions, interrupted at every instruction of the hooks that record them, by a handler
// that records calls itself and switches threads: in an image whose runtime has hooks, and whose
// kernel is instrumented.
#pragma once

namespace kernel::sweep {

// True: each call was recorded once, with its thread, in order of time; or there are no hooks.
bool interrupt_calls();

}  // namespace kernel::sweep
