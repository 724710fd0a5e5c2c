// Serves the host's requests over the console's line, if the board can read it.
#pragma once

#include <barefxt/barefxt.h>

namespace kernel::workload {

// Performs and answers what has come. True: something had. `start` is as for barefxt_serve. One
// caller at a time, who is the only one to use the console and to drain.
bool serve_requests(barefxt_dump_form form, const barefxt_config* start);

}  // namespace kernel::workload
