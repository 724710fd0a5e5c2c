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

constexpr uint32_t kIdlePauseMs = 2;

Semaphore everything_has_left(0);
barefxt_dump_form form = BAREFXT_DUMP_BINARY;

void drain_to_console(uintptr_t pause_ms) {
  static uint8_t frames[BAREFXT_DRAIN_BYTES];
  while (phase() != Phase::kOver || !barefxt_drain_is_over()) {
    const size_t bytes = barefxt_drain(frames, sizeof frames, form);
    if (bytes != 0) board::console_write(frames, bytes);
    if (bytes == 0 || pause_ms != 0)
      workload_sleep_ms(pause_ms != 0 ? static_cast<uint32_t>(pause_ms) : kIdlePauseMs);
  }
  everything_has_left.up();
}

}  // namespace

void create_stream_thread(uint32_t pause_ms, bool coded) {
  if (coded) form = BAREFXT_DUMP_BINARY_CODED;
  create_thread(
      {"storage/stream", PROCESS_STORAGE, kPriority, &drain_to_console, pause_ms, nullptr});
}

void wait_for_stream() { everything_has_left.down(); }

}  // namespace kernel::workload
