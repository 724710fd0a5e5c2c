// Serves the host's requests over the console's line, if the board can read it.
#pragma once

#include <barefxt/barefxt.h>

namespace kernel::workload {

// Performs and answers a request. True: there was one. `start` is as for barefxt_serve. One caller
// at a time, which alone uses the console and drains.
bool serve_requests(barefxt_dump_form form, const barefxt_config* start);

}  // namespace kernel::workload
