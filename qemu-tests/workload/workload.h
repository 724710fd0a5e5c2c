// The demo: what runs on the kernel while it is traced.
#pragma once

#include "kernel/parameters.h"

namespace kernel::workload {

// Registers the processes and creates the thread that conducts the run. At boot, on one CPU.
void create_first_threads(const Parameters& parameters);

// Mode "reset", first thing at boot: dumps the trace of the boot before, and prints about it
//
//   RECOVERED whole|partly
//
// False: there is none.
bool dump_recovered(const Parameters& parameters);

// Mode "cost": no threads, no interrupts, one CPU.
void measure_costs();

// Mode "records": likewise.
void write_every_record(const Parameters& parameters);

}  // namespace kernel::workload
