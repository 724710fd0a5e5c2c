#include "linear/paths.h"

#include <barefxt/records.h>

#include "kernel/categories.h"
#include "kernel/panic.h"
#include "linear.h"

namespace kernel::linear {

using barefxt::linear::Entry;

Threads threads;
alignas(8) uint8_t memory[kMemoryBytes];

namespace {

constexpr uint32_t kProcess = 7;
constexpr uint32_t kFirstKoid = 2000;
constexpr uint32_t kCrowdKoid = 3000;

// By koid. The last has as many bytes as are kept, the one ahead of it more.
constexpr const char* kNames[] = {"running", "path", "handler", "new/of/path/and/cut",
                                  "new/of/handler/x"};
enum : uint32_t { kRunning, kOfPath, kOfHandler, kNewOfPath, kNewOfHandler, kNamed };
constexpr const char* kCrowdName = "crowd";

void register_one(barefxt_thread& thread, uint32_t which) {
  barefxt_thread_register(&thread, kProcess, kFirstKoid + which, kNames[which], 10);
}

void start_in(size_t bytes) {
  barefxt_config config = {};
  config.memory = memory;
  config.bytes = bytes;
  config.cpus = 1;
  config.categories = KERNEL_CATEGORIES;
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
}

// Text and number that only run time knows.
const char* volatile run_time_text = "interrupted";
volatile uint32_t number = 42;

// ---- Paths. They switch there and back: code behind them finds the thread again that ran.

void away() { barefxt_context_switch(&threads.running, BAREFXT_STATE_BLOCKED, &threads.of_path); }
void back() { barefxt_context_switch(&threads.of_path, BAREFXT_STATE_SUSPENDED, &threads.running); }

void context_switch() {
  away();
  back();
}
void instant() { BAREFXT_INSTANT(probe, "path"); }
void instant_1_u32() {
  const uint32_t value = number;
  BAREFXT_INSTANT(probe, "path", BAREFXT_ARG_U32("value", value));
}
void instant_of_other_thread() {
  away();
  instant();
  back();
}
void instant_2_words() {
  const uint32_t value = number;
  BAREFXT_INSTANT(probe, "path", BAREFXT_ARG_U32("value", value), BAREFXT_ARG_U64("other", value));
}
void instant_with_text() {
  const char* const text = run_time_text;
  BAREFXT_INSTANT(probe, "path", BAREFXT_ARG_STRING("text", text, 11));
}
void duration_complete() { BAREFXT_DURATION_COMPLETE(probe, "path", 1); }
void irq_enter() { BAREFXT_IRQ_ENTER("path", BAREFXT_ARG_U32("irq", 3)); }
void thread_wakeup() { barefxt_thread_wakeup(&threads.of_path); }
// If no room is left for the first there may be room for the second.
void large_and_small() {
  instant_1_u32();
  instant();
}
// Nothing names it: four of these are lost, wherever.
void unregistered_thread() {
  barefxt_context_switch(&threads.running, BAREFXT_STATE_BLOCKED, &threads.unregistered);
  instant();
  instant_2_words();
  barefxt_context_switch(&threads.unregistered, BAREFXT_STATE_BLOCKED, &threads.running);
  instant();
}
// Beyond all measure, and lost, too; what comes next is not.
void too_large() {
  static const uint8_t payload[BAREFXT_SEGMENT_BYTES] = {};
  BAREFXT_LARGE_BLOB_EVENT(probe, BAREFXT_TEXT("path"), payload, sizeof payload);
  instant();
}
void off() {
  instant();
  barefxt_set_categories(KERNEL_CATEGORIES);
  barefxt_set_categories(0);
  instant();
  away();
  thread_wakeup();
}
void stop() {
  instant();
  barefxt_stop();
  barefxt_set_categories(KERNEL_CATEGORIES);
  instant();
  write_ungated_events();
}
// Starts in less memory; the start clears all of it.
void start_first() {
  barefxt_set_categories(KERNEL_CATEGORIES);
  start_in(BAREFXT_SEGMENT_BYTES);
}
void register_thread() { register_one(threads.new_of_path, kNewOfPath); }

bool is_named(const Entry& entry, const char* name) {
  for (uint32_t i = 0; i < Entry::kNameBytes; ++i) {
    if (entry.name[i] != name[i]) return false;
    if (name[i] == '\0') break;
  }
  return true;
}

bool is_sound(const Entry& entry) {
  if (entry.kind.load_relaxed() == 0) return true;
  if (entry.process != kProcess) return false;
  if (entry.koid >= kCrowdKoid) return is_named(entry, kCrowdName);
  return entry.koid - kFirstKoid < kNamed && is_named(entry, kNames[entry.koid - kFirstKoid]);
}

// The index that the thread's records have.
uint32_t index_of(const barefxt_thread& thread) { return thread.reference >> 24 & 0xff; }

bool has_its_entry(const barefxt_thread& thread) {
  const uint32_t index = index_of(thread);
  if (index == 0) {
    return barefxt::linear::threads.taken.load_relaxed() == BAREFXT_MAX_THREADS;
  }
  const Entry& entry = barefxt::linear::threads.entries[index - 1];
  return entry.kind.load_relaxed() != 0 && entry.koid == thread.koid;
}

}  // namespace

const Path paths[kPaths] = {
    {"context_switch", &context_switch, Kind::kWrites, kAmpleEntries},
    {"instant", &instant, Kind::kWrites, kAmpleEntries},
    {"instant_1_u32", &instant_1_u32, Kind::kWrites, kAmpleEntries},
    {"instant_of_other_thread", &instant_of_other_thread, Kind::kWrites, kAmpleEntries},
    {"instant_2_words", &instant_2_words, Kind::kWrites, kAmpleEntries},
    {"instant_with_text", &instant_with_text, Kind::kWrites, kAmpleEntries},
    {"duration_complete", &duration_complete, Kind::kWrites, kAmpleEntries},
    {"irq_enter", &irq_enter, Kind::kWrites, kAmpleEntries},
    {"thread_wakeup", &thread_wakeup, Kind::kWrites, kAmpleEntries},
    {"large_and_small", &large_and_small, Kind::kWrites, kAmpleEntries},
    {"unregistered_thread", &unregistered_thread, Kind::kWrites, kAmpleEntries},
    {"too_large", &too_large, Kind::kWrites, kAmpleEntries},
    {"off", &off, Kind::kEnds, kAmpleEntries},
    {"stop", &stop, Kind::kEnds, kAmpleEntries},
    {"start", &start_first, Kind::kStarts, kAmpleEntries},
    {"register", &register_thread, Kind::kRegisters, kAmpleEntries},
    {"register_last", &register_thread, Kind::kRegisters, 1},
    {"register_none_left", &register_thread, Kind::kRegisters, 0},
};

void start() { start_in(sizeof memory); }

void register_threads(uint32_t entries_left) {
  threads = {};
  register_one(threads.running, kRunning);
  register_one(threads.of_path, kOfPath);
  register_one(threads.of_handler, kOfHandler);
  barefxt_thread crowd;
  for (uint32_t at = 3; at < BAREFXT_MAX_THREADS - entries_left; ++at)
    barefxt_thread_register(&crowd, kProcess, kCrowdKoid + at, kCrowdName, 1);
}

bool is_table_sound(bool path_registered, bool handler_registered) {
  for (const Entry& entry : barefxt::linear::threads.entries)
    if (!is_sound(entry)) return false;
  if (path_registered && !has_its_entry(threads.new_of_path)) return false;
  if (handler_registered && !has_its_entry(threads.new_of_handler)) return false;
  return true;
}

void register_new_of_handler() { register_one(threads.new_of_handler, kNewOfHandler); }

void write_ungated_events() {
  const barefxt_text category = BAREFXT_TEXT("probe");
  barefxt_event(BAREFXT_EVENT_INSTANT, BAREFXT_THIS_CPU, category, BAREFXT_TEXT("ungated"), 0,
                nullptr, 0);
  barefxt_event(BAREFXT_EVENT_INSTANT, &threads.of_handler, category, BAREFXT_TEXT("ungated"), 0,
                nullptr, 0);
}

void write_in_handler() {
  const barefxt_thread* interrupted = barefxt::rings[0].current.load_relaxed();
  if (interrupted == nullptr) interrupted = &threads.running;
  barefxt_context_switch(interrupted, BAREFXT_STATE_RUNNABLE, &threads.of_handler);
  const uint32_t value = number;
  BAREFXT_INSTANT(probe, "handler", BAREFXT_ARG_U32("value", value));
  barefxt_context_switch(&threads.of_handler, BAREFXT_STATE_RUNNABLE, interrupted);
}

}  // namespace kernel::linear
