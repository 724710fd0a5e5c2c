// Calls of functions, interrupted at every instruction of their recording, in the hooks or the
// sleds and their trampolines. The handler records calls itself and switches threads. The image's
// runtime records calls, and its kernel is instrumented.
#pragma once

#include <stdint.h>

namespace kernel::sweep {

// At every `every`-th instruction. True: each call was recorded once, with its thread, in order of
// time; or the image records none.
bool interrupt_calls(uint32_t every);

// The same with limits of calls: each is accounted for, recorded or left out.
bool interrupt_limited_calls(uint32_t every);

}  // namespace kernel::sweep
