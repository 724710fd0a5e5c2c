// The thread that has the console's line while the demo goes on. Mode "streaming": the trace leaves
// by it.
#pragma once

#include <stdint.h>

#include <barefxt/barefxt.h>

namespace kernel::workload {

// Creates the thread that drains the rings, and sends again what is asked for if it `serves`.
// No other code may use the console until wait_for_stream returns.
void create_stream_thread(uint32_t pause_ms, bool coded, bool serves);

// Once recording has stopped: until everything has left.
void wait_for_stream();

// Mode "asked": creates the thread that does what the host asks for. `start` stays where it is.
void create_request_thread(const barefxt_config& start);

}  // namespace kernel::workload
