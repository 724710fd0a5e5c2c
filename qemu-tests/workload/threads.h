// Threads of the demo. Each runs while workload_is_running() or until its queue is closed.
#pragma once

#include "kernel/mutex.h"
#include "kernel/semaphore.h"

namespace kernel::workload {

// sensor
void sample_analog();
void sample_motion();
void sample_position();
void filter_samples();
// Multiplies the filter's time for a sample; set before it runs.
void set_filter_slowness(uint32_t times);
void log_positions();

// network
void receive_packets();
void handle_packets();
void transmit();

// storage
void write_blocks();
void read_blocks();
void keep_cache();
void collect_garbage();
// Instants that collect_garbage() records behind its lock; set before it runs.
void set_garbage_burst(uint32_t instants);

// No probes: computes and sleeps from before the start until after the stop.
void keep_busy();

// A counter of how much is waiting: run queue and message queues.
void sample_load();

// Threads that are born, do something and die. network/spawn creates them; set the number first.
void set_workers(uint32_t count, uint32_t milliseconds);
void spawn_workers();

// Shared by the storage threads and the workers.
extern Mutex flash;
extern Semaphore buffers;

}  // namespace kernel::workload
