// The small demo in a ring without segments: boot, and the thread that conducts the run.
#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

#include "kernel/board.h"
#include "kernel/categories.h"
#include "kernel/console.h"
#include "kernel/interrupt.h"
#include "kernel/panic.h"
#include "kernel/rendezvous.h"
#include "kernel/scheduler.h"
#include "kernel/tally.h"
#include "kernel/tally_data.h"
#include "linear/demo.h"
#include "small/members.h"
#include "workload/build_id.h"
#include "workload/phase.h"
#include "workload/processes.h"
#include "workload/services.h"
#include "workload/trace_memory.h"

namespace kernel::linear {
namespace {

// The largest ring of a CPU of 32 bits has room for this time.
constexpr uint32_t kMilliseconds = 600;

size_t ring_bytes;

// The kernel's own counts, as of the last tick that found nothing lost.
struct First {
  tally::PerCpu counts;
  uint64_t records = 0;
};
First first_seen;
uint64_t recorded_when_full = 0;

// In a tick, interrupts off: what is counted of switches, interrupts and wakeups is recorded.
void look_for_losses() {
  if (!tally::is_recording()) return;
  const barefxt::Ring& ring = barefxt::rings[0];
  if (ring.records_lost.value() == 0) {
    first_seen.counts = tally::counts.cpu[0];
    first_seen.records = tally::records();
  } else if (recorded_when_full == 0) {
    recorded_when_full = ring.finished.load_relaxed();
  }
}

void print_first() {
  const auto print_hashed = [](const char* what, uint64_t count, uint64_t hash) {
    print("FIRST ", what, " count=", count, " hash=", Hex{hash}, "\n");
  };
  const tally::PerCpu& counts = first_seen.counts;
  print_hashed("switches", counts.switches, counts.switch_hash);
  print_hashed("interrupts", counts.interrupts, counts.interrupt_hash);
  print_hashed("wakeups", counts.wakeups, counts.wakeup_hash);
  print("FIRST records count=", first_seen.records, "\n");
  if (recorded_when_full != 0) print("FULL recorded=", recorded_when_full, "\n");
}

void start_recording() {
  barefxt_config config = {};
  config.memory = workload::trace_memory;
  config.bytes = ring_bytes;
  config.cpus = 1;
  config.mode = BAREFXT_MODE_ONE_SHOT;
  config.categories = KERNEL_CATEGORIES;
  config.target = board::kName;
  workload::tell_build(config);
  tally::start();
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
  scheduler::begin_afresh();
}

void stop_recording() { tally::stop(barefxt_stop()); }

void conduct(uintptr_t /*unused*/) {
  workload::create_members();
  workload_sleep_ms(20);
  with_others_held(&start_recording);
  scheduler::yield();
  workload::let_members_run(kMilliseconds);
  with_others_held(&stop_recording);
  workload::set_phase(workload::Phase::kOver);
  const barefxt_writer writer = {&write_to_console, nullptr};
  KERNEL_ASSERT(barefxt_dump(&writer, BAREFXT_DUMP_BINARY) == BAREFXT_OK);
  print("barefxt demo kernel: stopped\n");
  tally::print_all();
  print_first();
  print("barefxt demo kernel: done\n");
  board::exit(0);
}

}  // namespace

void demo(const Parameters& parameters) {
  ring_bytes = parameters.ring_bytes;
  board::interrupts_initialize_cpu();
  scheduler::start_cpu(0);
  print("barefxt demo kernel: 1 CPU, ", kMilliseconds, " ms\n");
  at_interrupt = &look_for_losses;
  workload::register_processes();
  create_thread({"sensor/conductor", PROCESS_SENSOR, 26, &conduct, 0, nullptr});
  board::timer_start_cpu(1000);
  scheduler::run_idle();
}

}  // namespace kernel::linear
