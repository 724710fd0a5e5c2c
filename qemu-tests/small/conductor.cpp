// The demo in 16 KiB: boot, and the thread that conducts the run. It always streams over the
// console's line, whatever else is said on the command line but `seconds`.
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
#include "workload/bracketed.h"
#include "workload/messages.h"
#include "workload/phase.h"
#include "workload/processes.h"
#include "workload/services.h"
#include "workload/threads.h"
#include "workload/trace_memory.h"

namespace kernel::workload {
namespace {

Parameters chosen;
Semaphore everything_has_left(0);

void transmit_uplink() {
  while (receive(queues.uplink)) bracketed_probe();
}

// Takes what CPU is left, in turns with the idle thread.
void keep_busy_meanwhile() {
  while (phase() != Phase::kOver) {
    workload_compute(3000);
    workload_sleep_ms(3);
  }
}

struct Member {
  const char* name;
  uint32_t process;
  uint8_t priority;
  Stage stage;
  void (*work)();
};

// With the conductor, what streams, and the idle thread: eight.
constexpr Member kMembers[] = {
    {"sensor/adc", PROCESS_SENSOR, 24, Stage::kSource, sample_analog},
    {"sensor/imu", PROCESS_SENSOR, 24, Stage::kSource, sample_motion},
    {"sensor/filter", PROCESS_SENSOR, 18, Stage::kMiddle, filter_samples},
    {"network/tx", PROCESS_NETWORK, 19, Stage::kSink, transmit_uplink},
    {"network/poll", PROCESS_NETWORK, 5, Stage::kBackground, keep_busy_meanwhile},
};

constexpr uint32_t count_of(Stage stage) {
  uint32_t count = 0;
  for (const Member& member : kMembers) count += member.stage == stage ? 1 : 0;
  return count;
}

void be_a_member(uintptr_t index) {
  const Member& member = kMembers[index];
  if (member.stage != Stage::kBackground) wait_through(Phase::kBefore);
  member.work();
  arrive(member.stage);
  wait_through(Phase::kRunning);
  wait_through(Phase::kDraining);
}

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

void let_it_run() {
  set_phase(Phase::kRunning);
  const uint64_t end =
      board::ticks() + chosen.seconds * uint64_t{1000} * board::ticks_per_millisecond();
  while (board::ticks() < end) {
    sample_load();
    workload_sleep_ms(5);
  }
}

// Senders end before those they send to, so that every flow comes to its end.
void drain() {
  set_phase(Phase::kDraining);
  wait_for_arrivals(Stage::kSource, count_of(Stage::kSource));
  queues.samples.close();
  wait_for_arrivals(Stage::kMiddle, count_of(Stage::kMiddle));
  queues.uplink.close();
  wait_for_arrivals(Stage::kSink, count_of(Stage::kSink));
}

void conduct(uintptr_t /*unused*/) {
  for (uintptr_t i = 0; i < sizeof kMembers / sizeof kMembers[0]; ++i) {
    const Member& member = kMembers[i];
    create_thread({member.name, member.process, member.priority, &be_a_member, i, nullptr});
  }
  // What frames are made with takes more stack than other threads have.
  alignas(8) static uint8_t stack[1408];
  create_thread({"network/stream", PROCESS_NETWORK, 28, &stream, 0, nullptr, stack, sizeof stack});
  workload_sleep_ms(20);
  with_others_held(&start_recording);
  scheduler::yield();
  let_it_run();
  drain();
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
  constexpr struct {
    uint32_t koid;
    const char* name;
  } kProcesses[] = {{PROCESS_SENSOR, "sensor"}, {PROCESS_NETWORK, "network"}};
  for (const auto& process : kProcesses) {
    barefxt_process_register(process.koid, process.name);
    tally::process(process.koid, process.name);
  }
  create_thread({"sensor/conductor", PROCESS_SENSOR, 26, &workload::conduct, 0, nullptr});
  board::timer_start_cpu(1000);
  scheduler::run_idle();
}
