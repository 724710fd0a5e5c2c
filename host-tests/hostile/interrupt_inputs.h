// Interrupts by number, and the program that names them.
#pragma once

#include "rebuild/capture_builder.h"

namespace barefxt::test {

// A capture with interrupts by number, and wakeups inside and beside them.
Bytes interrupts_capture();

// A Cortex-M's program: its table of vectors has the stack's end and 63 handlers.
Bytes program_with_vectors();

}  // namespace barefxt::test
