// What the host asks for over the console's line, where the board can read it.
#pragma once

#include <barefxt/barefxt.h>

namespace kernel::workload {

// Performs and answers what has come. True: something had. `start` is as for barefxt_serve. One
// caller at a time, who is the only one to use the console and to drain.
bool serve_requests(barefxt_dump_form form, const barefxt_config* start);

}  // namespace kernel::workload
