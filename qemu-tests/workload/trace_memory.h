// The memory of the rings: outside the image, so that it is neither loaded nor cleared.
#pragma once

#include "kernel/board.h"

namespace kernel::workload {

extern uint8_t trace_memory[board::kTraceBytes];

}  // namespace kernel::workload
