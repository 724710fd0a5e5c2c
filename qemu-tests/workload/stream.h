// Mode "streaming": the trace leaves over the console's line while the demo goes on.
#pragma once

#include <stdint.h>

namespace kernel::workload {

// Creates the thread that drains the rings. Nobody else may use the console until wait_for_stream
// returns.
void create_stream_thread(uint32_t pause_ms, bool coded);

// Once recording has stopped: until everything has left.
void wait_for_stream();

}  // namespace kernel::workload
