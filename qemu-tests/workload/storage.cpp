// The storage process: four threads that want one mutex, and a pool of two buffers.
#include "kernel/categories.h"
#include "kernel/tally.h"
#include "workload/messages.h"
#include "workload/services.h"
#include "workload/threads.h"

namespace kernel::workload {

namespace {

uint32_t garbage_burst = 0;

}  // namespace

Mutex flash;
Semaphore buffers(2);

void write_blocks() {
  uint32_t blocks = 0;
  while (receive(queues.blocks)) {
    if (++blocks % 4 != 0) continue;
    KERNEL_MUTEX_LOCK(flash, "flash");
    workload_compute(3000);
    flash.unlock();
  }
}

void read_blocks() {
  while (workload_is_running()) {
    buffers.down();
    KERNEL_MUTEX_LOCK(flash, "flash");
    tally::probe(TALLY_DURATION_BEGIN);
    BAREFXT_DURATION_BEGIN(probe, "read");
    workload_compute(10000);
    tally::probe(TALLY_DURATION_END);
    BAREFXT_DURATION_END(probe, "read", BAREFXT_ARG_U32("blocks", 8));
    flash.unlock();
    buffers.up();
    workload_sleep_ms(7);
  }
}

void keep_cache() {
  while (workload_is_running()) {
    buffers.down();
    workload_compute(10000);
    buffers.up();
    KERNEL_MUTEX_LOCK(flash, "flash");
    workload_sleep_ms(1);
    flash.unlock();
    workload_sleep_ms(11);
  }
}

void set_garbage_burst(uint32_t instants) { garbage_burst = instants; }

void collect_garbage() {
  for (uint32_t n = 0; workload_is_running(); ++n) {
    KERNEL_MUTEX_LOCK(flash, "flash");
    tally::probe(TALLY_DURATION_BEGIN);
    BAREFXT_DURATION_BEGIN(probe, "collect", BAREFXT_ARG_U32("n", n));
    // Holds the mutex in its sleep: the others come to wait.
    workload_sleep_ms(3);
    tally::probe(TALLY_DURATION_END);
    BAREFXT_DURATION_END(probe, "collect");
    flash.unlock();
    for (uint32_t i = 0; i < garbage_burst; ++i) {
      tally::probe(TALLY_INSTANT);
      BAREFXT_INSTANT(probe, "freed", BAREFXT_ARG_U32("block", i));
    }
    workload_sleep_ms(13);
  }
}

}  // namespace kernel::workload
