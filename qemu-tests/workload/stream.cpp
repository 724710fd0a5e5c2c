#include "workload/stream.h"

#include <barefxt/barefxt.h>

#include "kernel/board.h"
#include "kernel/scheduler.h"
#include "kernel/semaphore.h"
#include "kernel/thread.h"
#include "workload/phase.h"
#include "workload/processes.h"
#include "workload/requests.h"
#include "workload/services.h"

namespace kernel::workload {
namespace {

// Below most of the others: tracing shall not keep them off. With one CPU they would keep it off
// instead, the more, the less time the emulated CPU gets from the host. There the drain is above
// all that record, so that the threads it drains wait for it.
constexpr uint8_t kPriority = 9;
constexpr uint8_t kPriorityOfOneCpu = 25;

uint8_t stream_priority() { return scheduler::cpu_count() == 1 ? kPriorityOfOneCpu : kPriority; }

constexpr uint32_t kIdlePauseMs = 2;

// The host repeats a request each second until it is answered.
constexpr uint32_t kPatienceMs = 2000;

Semaphore everything_has_left(0);
barefxt_dump_form form = BAREFXT_DUMP_BINARY;
bool serves = false;

// Until nothing more is asked for.
void serve_the_rest() {
  for (uint32_t waited = 0; waited < kPatienceMs; waited += kIdlePauseMs) {
    if (serve_requests(form, nullptr)) waited = 0;
    workload_sleep_ms(kIdlePauseMs);
  }
}

void do_as_asked(uintptr_t start) {
  while (phase() != Phase::kOver) {
    if (!serve_requests(form, reinterpret_cast<const barefxt_config*>(start)))
      workload_sleep_ms(kIdlePauseMs);
  }
  serve_the_rest();
  everything_has_left.up();
}

void drain_to_console(uintptr_t pause_ms) {
  static uint8_t frames[BAREFXT_DRAIN_BYTES];
  while (phase() != Phase::kOver || !barefxt_drain_is_over()) {
    const size_t bytes = barefxt_drain(frames, sizeof frames, form);
    if (bytes != 0) board::console_write(frames, bytes);
    if (serves) serve_requests(form, nullptr);
    if (bytes == 0 || pause_ms != 0)
      workload_sleep_ms(pause_ms != 0 ? static_cast<uint32_t>(pause_ms) : kIdlePauseMs);
  }
  if (serves) serve_the_rest();
  everything_has_left.up();
}

}  // namespace

void create_stream_thread(uint32_t pause_ms, bool coded, bool answers) {
  if (coded) form = BAREFXT_DUMP_BINARY_CODED;
  serves = answers;
  create_thread(
      {"storage/stream", PROCESS_STORAGE, stream_priority(), &drain_to_console, pause_ms, nullptr});
}

void wait_for_stream() { everything_has_left.down(); }

void create_request_thread(const barefxt_config& start) {
  create_thread({"storage/requests", PROCESS_STORAGE, kPriority, &do_as_asked,
                 reinterpret_cast<uintptr_t>(&start), nullptr});
}

}  // namespace kernel::workload
