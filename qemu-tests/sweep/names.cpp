#include "sweep/names.h"

#include "kernel/board.h"
#include "kernel/console.h"
#include "kernel/critical_section.h"
#include "kernel/interrupt.h"
#include "kernel/panic.h"
#include "lives/process.h"
#include "workload/trace_memory.h"

namespace kernel::sweep {
namespace names {
namespace {

using lives::Process;
using workload::trace_memory;

constexpr uint32_t kGone = 4;
constexpr uint32_t kFirstKoid = 100000;
constexpr uint32_t kKoids = 400;  // of processes, again and again
constexpr uint32_t kOthersKoid = 200000;

Process live;
Process newcomer;
Process interrupting;
Process gone[kGone];
uint32_t gone_koids[kGone];
barefxt_thread others[BAREFXT_MAX_THREADS];  // the rest of the table
uint32_t next_koid;
uint32_t said;

// ---- Interrupts, and interrupted paths

// Each process has a number of its own, also one that comes while another takes its number.
uint32_t take_number() {
  const CriticalSection section;
  return next_koid++;
}

void come(Process& process, const char* word) {
  const uint32_t number = take_number();
  lives::set_name(process, word, number);
  lives::begin(process, kFirstKoid + 2 * (number % kKoids));
}
void exec(Process& process) {
  lives::set_name(process, "exec-", next_koid);
  lives::rename(process);
}
void leave(Process& process) {
  if (process.koid != 0) lives::end(process);
}

void come_new() { come(newcomer, "new-"); }
void come_between() { come(interrupting, "between-"); }
void come_back() {
  for (uint32_t i = 0; i < kGone; ++i) {
    lives::set_name(gone[i], "risen-", next_koid);
    lives::begin(gone[i], gone_koids[i]);
  }
}
void exec_live() { exec(live); }
void leave_live() { leave(live); }
void leave_and_come() {
  leave_live();
  come_between();
}

struct Pair {
  const char* path;
  void (*interrupted)();
  const char* action;
  void (*interrupts)();
};
constexpr Pair kPairs[] = {
    {"begin", &come_new, "begin", &come_between},   {"begin", &come_new, "return", &come_back},
    {"begin", &come_new, "rename", &exec_live},     {"begin", &come_new, "end", &leave_and_come},
    {"rename", &exec_live, "begin", &come_between}, {"end", &leave_live, "begin", &come_between},
};

// ---- Sessions

struct Recording {
  const char* name;
  barefxt_mode mode;
  uint32_t segments;
  uint32_t experiments;  // in a session; 0: all
};
constexpr Recording kRecordings[] = {
    {"one-shot", BAREFXT_MODE_ONE_SHOT, 64, 32},
    {"circular", BAREFXT_MODE_CIRCULAR, 8, 32},
    {"streaming", BAREFXT_MODE_STREAMING, 16, 0},
};

void write_to_file(void* /*unused*/, const uint8_t* bytes, size_t count) {
  board::file_write(bytes, count);
}

bool drain() {
  static uint8_t frames[BAREFXT_DRAIN_BYTES];
  const size_t bytes = barefxt_drain(frames, sizeof frames, BAREFXT_DUMP_BINARY);
  if (bytes != 0) board::file_write(frames, bytes);
  return bytes != 0;
}

void start(const Recording& recording) {
  barefxt_config config = {};
  config.memory = trace_memory;
  config.bytes = size_t{recording.segments} * BAREFXT_SEGMENT_BYTES;
  if (config.bytes > sizeof trace_memory) config.bytes = sizeof trace_memory;
  config.cpus = 1;
  config.mode = recording.mode;
  config.categories = lives::kCategories;
  config.target = board::kName;
  config.partial_after_ticks = 1;
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
}

void finish(const Recording& recording) {
  const barefxt_stop_report report = barefxt_stop();
  KERNEL_ASSERT(report.unfinished_records == 0);
  if (recording.mode == BAREFXT_MODE_STREAMING) {
    while (!barefxt_drain_is_over()) drain();
    return;
  }
  const barefxt_writer writer = {&write_to_file, nullptr};
  KERNEL_ASSERT(barefxt_dump(&writer, BAREFXT_DUMP_BINARY) == BAREFXT_OK);
}

// ---- Experiments

const Pair* running_pair;
uint32_t strikes;

void interrupt_change(const board::Interrupt& interrupt) {
  if (interrupt.kind == board::InterruptKind::kNone) return;
  board::timer_stop();
  board::interrupt_end(interrupt);
  ++strikes;
  running_pair->interrupts();
}

void say(const Process& process) {
  if (process.koid != 0) lives::say(process, ++said);
}
void say_all() {
  say(live);
  say(newcomer);
  say(interrupting);
  for (const Process& process : gone) say(process);
}

// The table is full, and in part of the gone.
void begin_experiment() {
  leave(live);
  leave(newcomer);
  leave(interrupting);
  for (Process& process : gone) leave(process);
  come(live, "live-");
  for (Process& process : gone) come(process, "gone-");
  say_all();
  for (uint32_t i = 0; i < kGone; ++i) {
    gone_koids[i] = gone[i].koid;
    leave(gone[i]);
  }
}

// False: the interrupt came too late.
bool attempt(const Pair& pair, uint64_t k) {
  barefxt_clock_tick();
  begin_experiment();
  running_pair = &pair;
  strikes = 0;
  board::interrupts_enable();
  board::timer_fire_after(k);
  pair.interrupted();
  board::timer_stop();
  board::interrupts_save_and_disable();
  say_all();
  return strikes != 0;
}

void sweep(const Pair& pair, const Recording& recording, uint32_t every, uint32_t later) {
  static uint32_t sweeps;
  uint32_t interrupts = 0;
  start(recording);
  // The first differs from call to call, as in experiment.h.
  for (uint64_t k = 1 + (sweeps++ * 7 + later) % every; attempt(pair, k); k += every) {
    ++interrupts;
    if (recording.mode == BAREFXT_MODE_STREAMING) {
      while (drain()) continue;
    } else if (interrupts % recording.experiments == 0) {
      finish(recording);
      start(recording);
    }
  }
  finish(recording);
  print("NAMES path=", pair.path, " action=", pair.action, " mode=", recording.name,
        " interrupts=", interrupts, "\n");
}

// Leaves as many entries free as an experiment's processes and their threads take.
void fill_table() {
  uint32_t koid = kOthersKoid;
  for (barefxt_thread& thread : others) barefxt_thread_register(&thread, 1, koid++, "other", 5);
  KERNEL_ASSERT(others[BAREFXT_MAX_THREADS - 1].reference == 0);
  for (uint32_t i = 0; i < 2 * (kGone + 3); ++i) barefxt_thread_unregister(&others[i]);
}

void run(uint32_t every, uint32_t later) {
  KERNEL_ASSERT(board::file_open());
  barefxt_process_register(1, "sweep");
  // The pseudo-thread of the CPU takes its entry at the first start.
  start(kRecordings[0]);
  fill_table();
  barefxt_stop();
  interrupt_instead = &interrupt_change;
  for (const Recording& recording : kRecordings)
    for (const Pair& pair : kPairs) sweep(pair, recording, every, later);
  KERNEL_ASSERT(board::file_close());
  print("SWEEP end\n");
}

}  // namespace
}  // namespace names

void interrupt_names(uint32_t every, uint32_t later) { names::run(every, later); }

}  // namespace kernel::sweep
