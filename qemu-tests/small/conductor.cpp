// The demo in 16 KiB: boot, and the thread that conducts the run. It always streams over the
// console's line; the only parameter that it reads is `seconds`.
#include <barefxt/barefxt.h>

#include "kernel/board.h"
#include "kernel/categories.h"
#include "kernel/console.h"
#include "kernel/panic.h"
#include "kernel/parameters.h"
#include "kernel/rendezvous.h"
#include "kernel/scheduler.h"
#include "kernel/semaphore.h"
#include "kernel/tally.h"
#include "small/members.h"
#include "workload/phase.h"
#include "workload/processes.h"
#include "workload/services.h"
#include "workload/trace_memory.h"

namespace kernel::workload {
namespace {

Parameters chosen;
Semaphore everything_has_left(0);

// More urgent than all that records: so the rings, which hold a few milliseconds, never fill.
void stream(uintptr_t /*unused*/) {
  static uint8_t frames[BAREFXT_DRAIN_BYTES];
  while (phase() != Phase::kOver || !barefxt_drain_is_over()) {
    const size_t bytes = barefxt_drain(frames, sizeof frames, BAREFXT_DUMP_BINARY);
    if (bytes != 0)
      board::console_write(frames, bytes);
    else
      workload_sleep_ms(1);
  }
  everything_has_left.up();
}

void start_recording() {
  barefxt_config config = {};
  config.memory = trace_memory;
  config.bytes = sizeof trace_memory;
  config.cpus = 1;
  config.mode = BAREFXT_MODE_STREAMING;
  config.categories = KERNEL_CATEGORIES;
  config.target = board::kName;
  tally::start();
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
  scheduler::begin_afresh();
}

void stop_recording() { tally::stop(barefxt_stop()); }

void conduct(uintptr_t /*unused*/) {
  create_members();
  // Making frames takes more stack than other threads have.
  alignas(8) static uint8_t stack[1408];
  create_thread({"network/stream", PROCESS_NETWORK, 28, &stream, 0, nullptr, stack, sizeof stack});
  workload_sleep_ms(20);
  with_others_held(&start_recording);
  scheduler::yield();
  let_members_run(chosen.seconds * 1000);
  with_others_held(&stop_recording);
  set_phase(Phase::kOver);
  everything_has_left.down();
  print("barefxt demo kernel: stopped\n");
  tally::print_all();
  print("barefxt demo kernel: done\n");
  board::exit(0);
}

}  // namespace
}  // namespace kernel::workload

void kernel_main() {
  using namespace kernel;
  workload::chosen = read_parameters();
  if (workload::chosen.mode != Mode::kDemo || workload::chosen.dump != DumpTo::kUart) {
    print("kernel: of mode= and dump= this small one knows demo and uart\n");
    board::exit(3);
  }
  board::interrupts_initialize_cpu();
  scheduler::start_cpu(0);
  print("barefxt demo kernel: 1 CPU, ", workload::chosen.seconds, " s\n");
  workload::register_processes();
  create_thread({"sensor/conductor", PROCESS_SENSOR, 26, &workload::conduct, 0, nullptr});
  board::timer_start_cpu(1000);
  scheduler::run_idle();
}
