#include "lives/lives.h"

#include <barefxt/barefxt.h>

#include "kernel/board.h"
#include "kernel/categories.h"
#include "kernel/console.h"
#include "kernel/critical_section.h"
#include "kernel/interrupt.h"
#include "kernel/panic.h"
#include "kernel/rendezvous.h"
#include "kernel/scheduler.h"
#include "kernel/semaphore.h"
#include "lives/process.h"
#include "workload/trace_memory.h"

namespace kernel::lives {
namespace {

using workload::trace_memory;

constexpr uint32_t kProcess = 1;  // of the kernel's own threads
constexpr uint32_t kFathers = 4;  // threads that fork
constexpr uint32_t kChildren = 4;
constexpr uint32_t kNumbers = 40;  // of each father's processes, again and again
constexpr uint8_t kFatherPriority = 10;
constexpr uint8_t kConductorPriority = 20;
constexpr uint32_t kStepsBetweenPauses = 16;
constexpr uint32_t kCallsBetweenSleeps = 64;  // of the drain

// A parent that forks: a thread, or the interrupts of a CPU. No other touches its children.
struct Father {
  uint32_t first_koid = 0;
  uint32_t random = 0;
  uint32_t births = 0;
  uint32_t programs = 0;
  uint32_t said = 0;
  Process children[kChildren];
};

Parameters chosen;
Father fathers[kFathers];
Father interrupted[board::kMaxCpus];
Semaphore may_live(0);
uint32_t living = 0;
uint32_t steps_of_father = 0;
bool interrupts_live = false;
bool with_pauses = false;
barefxt_config config;

uint32_t below(Father& father, uint32_t end) {
  father.random = father.random * 1664525u + 1013904223u;
  return (father.random >> 16) % end;
}

void fork(Father& father, Process& process) {
  // A number that no child has.
  uint32_t koid = 0;
  bool is_taken = true;
  while (is_taken) {
    koid = father.first_koid + 2 * below(father, kNumbers);
    is_taken = false;
    for (const Process& child : father.children) is_taken = is_taken || child.koid == koid;
  }
  set_name(process, "fork-", ++father.births % 1000);
  begin(process, koid);
}

void exec(Father& father, Process& process) {
  set_name(process, "exec-", ++father.programs % 1000);
  rename(process);
}

void step(Father& father) {
  Process& process = father.children[below(father, kChildren)];
  if (process.koid == 0) return fork(father, process);
  switch (below(father, 6)) {
    case 0:
      return exec(father, process);
    case 1:
      return end(process);
    default:
      return say(process, ++father.said);
  }
}

void live_in_interrupt() {
  if (__atomic_load_n(&interrupts_live, __ATOMIC_RELAXED))
    step(interrupted[scheduler::this_cpu().number]);
}

void be_a_father(uintptr_t index) {
  Father& father = fathers[index];
  while (true) {
    may_live.down();
    for (uint32_t i = 0; i < steps_of_father; ++i) {
      step(father);
      if (with_pauses && i % kStepsBetweenPauses == 0)
        scheduler::sleep_ticks(board::ticks_per_millisecond());
    }
    __atomic_fetch_sub(&living, 1, __ATOMIC_RELEASE);
  }
}

void write_to_file(void* /*unused*/, const uint8_t* bytes, size_t count) {
  board::file_write(bytes, count);
}

bool drain() {
  static uint8_t frames[BAREFXT_DRAIN_BYTES];
  const size_t bytes = barefxt_drain(frames, sizeof frames, BAREFXT_DUMP_BINARY);
  if (bytes != 0) board::file_write(frames, bytes);
  return bytes != 0;
}

void start() { KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK); }
barefxt_stop_report report;
void stop() {
  __atomic_store_n(&interrupts_live, false, __ATOMIC_RELAXED);
  report = barefxt_stop();
}

uint32_t sum(uint32_t Father::* count) {
  uint32_t all = 0;
  for (const Father& father : fathers) all += father.*count;
  for (const Father& father : interrupted) all += father.*count;
  return all;
}

void live(const char* name, barefxt_mode mode, size_t bytes, uint32_t steps) {
  const uint32_t cpus = scheduler::cpu_count();
  config.memory = trace_memory;
  config.bytes = bytes < sizeof trace_memory ? bytes : sizeof trace_memory;
  config.cpus = static_cast<uint16_t>(cpus);
  config.mode = mode;
  config.categories = kCategories;
  config.target = board::kName;
  config.partial_after_ticks = 20 * board::ticks_per_millisecond();
  steps_of_father = steps;
  with_pauses = mode == BAREFXT_MODE_STREAMING;
  const uint32_t births = sum(&Father::births);
  const uint32_t said = sum(&Father::said);
  with_others_held(&start);
  __atomic_store_n(&living, kFathers, __ATOMIC_RELAXED);
  __atomic_store_n(&interrupts_live, true, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < kFathers; ++i) may_live.up();
  // Interrupts alone may write faster than is sent: on one CPU the fathers are to have their turn.
  for (uint32_t calls = 1; __atomic_load_n(&living, __ATOMIC_ACQUIRE) != 0; ++calls)
    if (mode != BAREFXT_MODE_STREAMING || !drain() || calls % kCallsBetweenSleeps == 0)
      scheduler::sleep_ticks(board::ticks_per_millisecond());
  with_others_held(&stop);
  if (mode == BAREFXT_MODE_STREAMING) {
    while (!barefxt_drain_is_over()) drain();
  } else {
    const barefxt_writer writer = {&write_to_file, nullptr};
    KERNEL_ASSERT(barefxt_dump(&writer, BAREFXT_DUMP_BINARY) == BAREFXT_OK);
  }
  print("LIVES mode=", name, " births=", sum(&Father::births) - births,
        " said=", sum(&Father::said) - said, " lost=", report.lost_records, "\n");
}

void conduct(uintptr_t /*unused*/) {
  KERNEL_ASSERT(board::file_open());
  live("one-shot", BAREFXT_MODE_ONE_SHOT, sizeof trace_memory, chosen.records);
  live("streaming", BAREFXT_MODE_STREAMING, sizeof trace_memory / 2, chosen.records);
  live("circular", BAREFXT_MODE_CIRCULAR,
       size_t{8} * scheduler::cpu_count() * BAREFXT_SEGMENT_BYTES, 2 * chosen.records);
  KERNEL_ASSERT(board::file_close());
  print("LIVES end\n");
  board::exit(0);
}

}  // namespace

void create_threads(const Parameters& parameters) {
  chosen = parameters;
  barefxt_process_register(kProcess, "lives");
  uint32_t koid = 100000;
  const auto prepare = [&](Father& father) {
    father.first_koid = koid;
    father.random = koid;
    koid += 1000;
  };
  for (Father& father : fathers) prepare(father);
  for (Father& father : interrupted) prepare(father);
  for (uintptr_t i = 0; i < kFathers; ++i)
    create_thread({"lives/father", kProcess, kFatherPriority, &be_a_father, i, nullptr});
  at_interrupt = &live_in_interrupt;
  create_thread({"lives/conductor", kProcess, kConductorPriority, &conduct, 0, nullptr});
}

}  // namespace kernel::lives
