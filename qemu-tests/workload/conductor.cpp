// The thread that conducts a run: early threads, start, work, an orderly end, stop, dump, tally.
#include "kernel/categories.h"
#include "kernel/console.h"
#include "kernel/panic.h"
#include "kernel/rendezvous.h"
#include "kernel/scheduler.h"
#include "kernel/stacks.h"
#include "kernel/tally.h"
#include "workload/build_id.h"
#include "workload/call_cost.h"
#include "workload/dump.h"
#include "workload/messages.h"
#include "workload/phase.h"
#include "workload/processes.h"
#include "workload/services.h"
#include "workload/sleds.h"
#include "workload/stream.h"
#include "workload/threads.h"
#include "workload/trace_memory.h"
#include "workload/workload.h"

namespace kernel::workload {
namespace {

struct Member {
  const char* name;
  uint32_t process;
  uint8_t priority;
  Stage stage;
  void (*work)();
};

// With sensor/conductor these are the threads that live throughout.
constexpr Member kMembers[] = {
    {"sensor/adc", PROCESS_SENSOR, 24, Stage::kSource, sample_analog},
    {"sensor/imu", PROCESS_SENSOR, 24, Stage::kSource, sample_motion},
    {"sensor/gps", PROCESS_SENSOR, 22, Stage::kSource, sample_position},
    {"sensor/filter", PROCESS_SENSOR, 18, Stage::kMiddle, filter_samples},
    {"sensor/log", PROCESS_SENSOR, 8, Stage::kSink, log_positions},
    {"sensor/calib", PROCESS_SENSOR, 6, Stage::kSource, workload_calibrate},
    {"network/rx", PROCESS_NETWORK, 22, Stage::kSource, receive_packets},
    {"network/stack", PROCESS_NETWORK, 20, Stage::kMiddle, handle_packets},
    {"network/tx", PROCESS_NETWORK, 18, Stage::kSink, transmit},
    {"network/spawn", PROCESS_NETWORK, 16, Stage::kSource, spawn_workers},
    {"network/resolve", PROCESS_NETWORK, 10, Stage::kSource, workload_resolve},
    {"network/poll", PROCESS_NETWORK, 5, Stage::kBackground, keep_busy},
    {"storage/writer", PROCESS_STORAGE, 19, Stage::kSink, write_blocks},
    {"storage/reader", PROCESS_STORAGE, 17, Stage::kSource, read_blocks},
    {"storage/cache", PROCESS_STORAGE, 15, Stage::kSource, keep_cache},
    {"storage/gc", PROCESS_STORAGE, 7, Stage::kSource, collect_garbage},
    {"storage/scrub", PROCESS_STORAGE, 4, Stage::kBackground, keep_busy},
};

constexpr uint32_t kEarlyThreads = 24;
constexpr uint32_t kEarlyAtOnce = 8;

#ifdef KERNEL_FUNCTIONS
constexpr uint32_t kMoreCategories = BAREFXT_CATEGORY_BIT(function);
#else
constexpr uint32_t kMoreCategories = 0;
#endif

Parameters chosen;
Semaphore early_done(0);

constexpr uint32_t count_of(Stage stage) {
  uint32_t count = 0;
  for (const Member& member : kMembers) count += member.stage == stage ? 1 : 0;
  return count;
}

void be_a_member(uintptr_t index) {
  const Member& member = kMembers[index];
  if (member.stage != Stage::kBackground) {
    wait_through(Phase::kBefore);
    member.work();
    arrive(member.stage);
    wait_through(Phase::kRunning);
    wait_through(Phase::kDraining);
  } else {
    member.work();
  }
}

void be_early(uintptr_t /*unused*/) {
  workload_compute(5000);
  workload_sleep_ms(1);
}

// Threads that are gone before recording starts: their entries in the tracer's table are free
// again.
void run_early_threads() {
  for (uint32_t n = 0; n < kEarlyThreads; ++n) {
    char name[] = "early-00";
    name[6] = static_cast<char>('0' + n / 10);
    name[7] = static_cast<char>('0' + n % 10);
    create_thread({name, PROCESS_SENSOR + n % 3, 12, &be_early, 0, &early_done});
    if (n >= kEarlyAtOnce) early_done.down();
  }
  for (uint32_t n = 0; n < kEarlyAtOnce; ++n) early_done.down();
}

barefxt_mode ring_mode() {
  switch (chosen.mode) {
    case Mode::kCircular:
      return BAREFXT_MODE_CIRCULAR;
    case Mode::kStreaming:
      return BAREFXT_MODE_STREAMING;
    default:
      return BAREFXT_MODE_ONE_SHOT;
  }
}

// Half of its stack.
void dig(uintptr_t /*unused*/) {
  wait_through(Phase::kBefore);
  stacks::dig(board::kStackBytes / 2);
  wait_through(Phase::kRunning);
  wait_through(Phase::kDraining);
}

barefxt_config configuration() {
  barefxt_config config = {};
  config.memory = trace_memory;
  config.bytes = chosen.ring_bytes * scheduler::cpu_count();
  config.cpus = static_cast<uint16_t>(scheduler::cpu_count());
  config.mode = ring_mode();
  config.categories = KERNEL_CATEGORIES | kMoreCategories;
  if (chosen.samples != 0) config.categories |= BAREFXT_CATEGORY_BIT(samples);
  if (chosen.stacks) config.categories |= BAREFXT_CATEGORY_BIT(stacks);
  config.wall_clock_ns = board::wall_clock_ns();
  config.target = board::kName;
  config.resend_segments = chosen.resend_segments;
  tell_build(config);
  KERNEL_ASSERT(config.bytes <= sizeof trace_memory);
  return config;
}

#ifdef KERNEL_FUNCTIONS
constexpr uint32_t kDeepest = 32;
alignas(8) uint8_t open_calls[BAREFXT_CALL_LIMITS_BYTES(255, kDeepest)];

void limit_calls() {
  if (chosen.deepest == 0) return;
  KERNEL_ASSERT(chosen.deepest <= kDeepest);
  barefxt_call_limits limits = {};
  limits.least_ticks = chosen.least_ticks;
  limits.deepest = chosen.deepest;
  limits.memory = open_calls;
  limits.bytes = BAREFXT_CALL_LIMITS_BYTES(255, chosen.deepest);
  KERNEL_ASSERT(barefxt_limit_calls(&limits) == BAREFXT_OK);
}

void print_calls_left_out() {
  if (chosen.deepest == 0) return;
  const barefxt_left_out_calls calls = barefxt_calls_left_out();
  print("LEFT too_short=", calls.too_short, " too_deep=", calls.too_deep,
        " without_end=", calls.without_end, " open=", calls.open, "\n");
}
#else
void limit_calls() {}
void print_calls_left_out() {}
#endif

void start_recording() {
  const barefxt_config config = configuration();
  limit_calls();
  tally::start();
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
  scheduler::begin_afresh();
}

void stop_recording() {
  stacks::count();
  tally::stop(barefxt_stop());
}

// For the memory the session goes on: no ring is closed. But no probe writes any more, so that the
// kernel's counts can be printed before the reset.
void fall_silent() {
  barefxt_set_categories(0);
  tally::stop({});
}

// In the middle of recording, all CPUs: nothing is stopped, flushed or tidied up.
[[noreturn]] void reset_in_the_middle() {
  with_others_held(&fall_silent);
  tally::print_all();
  board::reset();
}

// At least as long as was asked for, and until the workers are done.
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
  queues.positions.close();
  queues.packets.close();
  wait_for_arrivals(Stage::kMiddle, count_of(Stage::kMiddle));
  queues.uplink.close();
  queues.blocks.close();
  wait_for_arrivals(Stage::kSink, count_of(Stage::kSink));
}

// The host starts, fetches what it wants, and stops; the demo goes on by itself meanwhile.
[[noreturn]] void conduct_for_host() {
  static barefxt_config config;
  config = configuration();
  create_request_thread(config);
  set_phase(Phase::kRunning);
  while (!barefxt_running()) workload_sleep_ms(5);
  while (barefxt_running()) workload_sleep_ms(5);
  drain();
  set_phase(Phase::kOver);
  wait_for_stream();
  board::exit(0);
}

#if defined(KERNEL_SLEDS)
void patch_all() { KERNEL_ASSERT(barefxt_functions_patch(1, UINT32_MAX, nullptr) == BAREFXT_OK); }

// Patched from the start on.
void prepare_functions() {
  if (chosen.mode == Mode::kSleds) exercise_sleds(chosen);
  with_others_held(&patch_all);
}
#elif defined(KERNEL_FUNCTIONS)
// Checks that an image with hooks but no sleds refuses to patch. With rounds=0 it measures its
// hooks instead.
void prepare_functions() {
  if (chosen.mode != Mode::kSleds) return;
  if (chosen.rounds == 0) {
    measure_hooks();
    board::exit(0);
  }
  KERNEL_ASSERT(barefxt_function_count() == 0);
  KERNEL_ASSERT(barefxt_functions_patch(1, UINT32_MAX, nullptr) == BAREFXT_ERROR_NO_SLEDS);
  KERNEL_ASSERT(barefxt_functions_unpatch(1, 1, nullptr) == BAREFXT_ERROR_NO_SLEDS);
  print("SLEDS none\n");
  board::exit(0);
}
#else
void prepare_functions() { KERNEL_ASSERT(chosen.mode != Mode::kSleds); }
#endif

void conduct(uintptr_t /*unused*/) {
  prepare_functions();
  run_early_threads();
  for (uintptr_t i = 0; i < sizeof kMembers / sizeof kMembers[0]; ++i) {
    const Member& member = kMembers[i];
    create_thread({member.name, member.process, member.priority, &be_a_member, i, nullptr});
  }
  set_workers(chosen.workers, chosen.seconds * 1000 * 3 / 4);
  set_filter_slowness(chosen.slow);
  set_garbage_burst(chosen.burst);
  if (chosen.stacks) create_thread({"sensor/deep", PROCESS_SENSOR, 12, &dig});
  if (chosen.mode == Mode::kStreaming)
    create_stream_thread(chosen.pause_ms, chosen.coded, chosen.resend_segments != 0);
  workload_sleep_ms(20);
  if (chosen.mode == Mode::kAsked) conduct_for_host();

  with_others_held(&start_recording);
  scheduler::yield();
  let_it_run();
  drain();
  if (chosen.mode == Mode::kReset) reset_in_the_middle();
  with_others_held(&stop_recording);
  set_phase(Phase::kOver);

  if (chosen.mode == Mode::kStreaming) wait_for_stream();
  print("barefxt demo kernel: stopped\n");
  print_calls_left_out();
  if (chosen.mode != Mode::kStreaming) dump(chosen);
  tally::print_all();
  stacks::print_counted();
  print("barefxt demo kernel: done\n");
  board::exit(0);
}

}  // namespace

void create_first_threads(const Parameters& parameters) {
  chosen = parameters;
  constexpr struct {
    uint32_t koid;
    const char* name;
  } kProcesses[] = {
      {PROCESS_SENSOR, "sensor"}, {PROCESS_NETWORK, "network"}, {PROCESS_STORAGE, "storage"}};
  for (const auto& process : kProcesses) {
    barefxt_process_register(process.koid, process.name);
    tally::process(process.koid, process.name);
  }
  create_thread({"sensor/conductor", PROCESS_SENSOR, 26, &conduct, 0, nullptr});
}

}  // namespace kernel::workload
