// The threads of the small demo and their work. Each image has its own way to record them.
#pragma once

#include <stdint.h>

namespace kernel::workload {

// With the tracer and with the tally, before any thread.
void register_processes();

// Beside the conductor, which calls this. They wait for the run.
void create_members();

// From its begin until the last of them is done.
void let_members_run(uint32_t milliseconds);

}  // namespace kernel::workload
