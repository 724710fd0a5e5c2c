// The memory of the rings.
#include "workload/trace_memory.h"

namespace kernel::workload {

alignas(8) __attribute__((section(".noinit"))) uint8_t trace_memory[board::kTraceBytes];

}  // namespace kernel::workload
