// Compiled with hooks.
#include "workload/hooked_functions.h"

namespace kernel::workload {

void hooked_empty() { asm volatile(""); }

__attribute__((no_instrument_function)) void unhooked_empty() { asm volatile(""); }

}  // namespace kernel::workload
