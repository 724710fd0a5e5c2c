#include "sweep/paths.h"

#include "kernel/panic.h"
#include "kernel/thread.h"
#include "workload/trace_memory.h"

namespace kernel::sweep {

Paths paths_of_interrupted();
Paths paths_of_interrupting();
Paths paths_of_nested();

Threads indexed;
Threads inlined;

Paths paths_of(Writer writer) {
  switch (writer) {
    case kInterrupting:
      return paths_of_interrupting();
    case kNested:
      return paths_of_nested();
    default:
      return paths_of_interrupted();
  }
}

namespace {

constexpr uint32_t kProcess = 1;
uint32_t next_koid = kFirstThreadKoid;

void register_one(barefxt_thread& thread) {
  barefxt_thread_register(&thread, kProcess, next_koid++, "thread", 10);
}
void register_all(Threads& threads) {
  register_one(threads.running);
  for (barefxt_thread& thread : threads.of_writer) register_one(thread);
}

}  // namespace

void register_threads() {
  barefxt_process_register(kProcess, "sweep");
  register_all(indexed);
  // The pseudo-thread of the CPU takes its index at the first start.
  barefxt_config config = {};
  config.memory = workload::trace_memory;
  config.bytes = size_t{2} * BAREFXT_SEGMENT_BYTES;
  config.cpus = 1;
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
  barefxt_stop();
  // Those that come now find the table full.
  static barefxt_thread crowd[BAREFXT_MAX_THREADS];
  for (barefxt_thread& thread : crowd) register_one(thread);
  register_all(inlined);
}

}  // namespace kernel::sweep
