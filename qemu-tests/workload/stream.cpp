#include "workload/stream.h"

#include <barefxt/barefxt.h>

#include "kernel/board.h"
#include "kernel/semaphore.h"
#include "kernel/thread.h"
#include "workload/phase.h"
#include "workload/processes.h"
#include "workload/services.h"

namespace kernel::workload {
namespace {

// Below most of the others: tracing shall not keep them off.
constexpr uint8_t kPriority = 9;

Semaphore everything_has_left(0);

void drain_to_console(uintptr_t /*unused*/) {
  static uint8_t frames[BAREFXT_DRAIN_BYTES];
  while (phase() != Phase::kOver || !barefxt_drain_is_over()) {
    const size_t bytes = barefxt_drain(frames, sizeof frames, BAREFXT_DUMP_BINARY);
    if (bytes != 0)
      board::console_write(frames, bytes);
    else
      workload_sleep_ms(2);
  }
  everything_has_left.up();
}

}  // namespace

void create_stream_thread() {
  create_thread({"storage/stream", PROCESS_STORAGE, kPriority, &drain_to_console, 0, nullptr});
}

void wait_for_stream() { everything_has_left.down(); }

}  // namespace kernel::workload
