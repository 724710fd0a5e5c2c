// The run's phases, and how its threads pass from one to the next.
//
// Threads with probes do nothing before recording starts and are done before it stops, so that no
// duration, flow or count is cut by either. The scheduler goes on all the while.
#pragma once

#include <stdint.h>

namespace kernel::workload {

enum class Phase : uint32_t { kBefore, kRunning, kDraining, kOver };

Phase phase();
void set_phase(Phase phase);

// Sleeps through a phase.
void wait_through(Phase phase);

// The order in which threads must be done: senders before their receivers.
enum class Stage : uint8_t { kSource, kMiddle, kSink, kBackground };
inline constexpr unsigned kStages = 4;

// The calling thread, of this stage, records nothing more.
void arrive(Stage stage);
void wait_for_arrivals(Stage stage, uint32_t count);

}  // namespace kernel::workload
