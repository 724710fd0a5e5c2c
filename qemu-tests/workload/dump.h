// The trace on its way out of the machine.
#pragma once

#include "kernel/parameters.h"

namespace kernel::workload {

void dump(const Parameters& parameters);

}  // namespace kernel::workload
