#include "linear/sweep.h"

#include <barefxt/barefxt.h>

#include "kernel/board.h"
#include "kernel/console.h"
#include "kernel/interrupt.h"
#include "kernel/panic.h"
#include "linear.h"
#include "linear/as_after_boot.h"
#include "linear/check.h"
#include "linear/paths.h"
#include "sweep/addresses.h"
#include "sweep/steps.h"

namespace kernel::linear {
namespace {

using barefxt::linear::Place;

// The ring's position when the path begins.
enum class Room : uint8_t { kAmple, kExact, kSmallest, kNone, kClosed };
struct Start {
  const char* name;
  Room room;
};
constexpr Start kStarts[] = {
    {"open", Room::kAmple},      // for all that is written
    {"edge", Room::kExact},      // for what the path writes, or for the handler's instead
    {"tight", Room::kSmallest},  // for a record of two words
    {"last", Room::kNone},       // for no record at all
    {"full", Room::kClosed},     // what came before found that out
};
constexpr const Start& kOpen = kStarts[0];
constexpr const Start& kLast = kStarts[3];
constexpr unsigned kInstant = 1;  // of the paths

struct Action {
  const char* name;
  void (*strike)();
  Findings (*look)(const Expected& expected, const barefxt_stop_report& report);
};

// The threads that a handler takes for the running one.
constexpr unsigned kInterrupted = 4;
const barefxt_thread* interrupted_thread(unsigned which) {
  const barefxt_thread* const all[kInterrupted] = {
      &threads.running, &threads.of_path, &threads.unregistered, &barefxt::rings[0].cpu_thread};
  return all[which];
}

struct Running {
  const Path* path;
  const Action* action;
  Expected expected;
  barefxt_stop_report report;  // of the handler's stop
  uint32_t strikes;
  uint64_t again_after;  // the first interrupt, where there are two
  bool registered;
  uintptr_t address;  // where the last one came
  const char* wrong;  // what the handler found
};
Running running = {};
Reference of_path[kPaths];
Reference of_handler[kInterrupted];
Reference of_ungated_events;
sweep::Addresses all_addresses;
unsigned learning;  // which of these

void fail(const char* what) {
  if (running.wrong == nullptr) running.wrong = what;
}

// ---- Actions of the handler

void write() {
  // Records of disabled categories are not attempted.
  if (barefxt_enabled_categories == 0) return;
  const barefxt_thread* current = barefxt::rings[0].current.load_relaxed();
  for (unsigned i = 0; i < kInterrupted; ++i)
    if (current == interrupted_thread(i)) running.expected.handler = &of_handler[i];
  if (running.expected.handler == nullptr) return fail("an_unknown_thread_runs");
  write_in_handler();
  if (barefxt::rings[0].current.load_relaxed() != current) fail("another_thread_runs");
}

void fill() {
  const barefxt::Ring& ring = barefxt::rings[0];
  for (unsigned i = 0; i < kMemoryBytes / kMinFillerBytes + 3; ++i) {
    const bool is_open = Place::offset(ring.position.load_relaxed()) <= ring.memory_bytes;
    running.expected.fillers.add({1, kMinFillerBytes});
    write_filler(kMinFillerBytes);
    if (!is_open) return;
  }
  fail("never_full");
}

void stop_in_handler() { running.report = barefxt_stop(); }

void register_in_handler() {
  if (!is_table_sound(false, false)) fail("table_at_moment");
  register_new_of_handler();
  running.registered = true;
}

// Writes although a session is about to start, or to end.
void write_ungated() {
  const bool runs = barefxt_running();
  write_ungated_events();
  if (runs) running.expected.handler = &of_ungated_events;
}

// Another interrupt comes a little later, and looks.
void come_again_after(void (*first)()) {
  if (running.strikes != 1) return;
  first();
  board::timer_fire_after(running.again_after);
}
void write_and_come_again() { come_again_after(&write); }
void stop_and_come_again() { come_again_after(&stop_in_handler); }
void register_and_come_again() { come_again_after(&register_in_handler); }

constexpr Action kUngated = {"ungated", &write_ungated, &look_at_rest};
constexpr Action kAgain = {"again", &write_and_come_again, &look_at_rest};
constexpr Action kAfterStop = {"after_stop", &stop_and_come_again, &look_after_stop};
constexpr Action kAfterRegister = {"after_register", &register_and_come_again, &look_at_rest};
constexpr Action kWrite = {"write", &write, &look_at_rest};
constexpr Action kFill = {"fill", &fill, &look_at_rest};
constexpr Action kStop = {"stop", &stop_in_handler, &look_after_stop};
constexpr Action kRegister = {"register", &register_in_handler, &look_at_rest};

// ---- One experiment

void handle(const board::Interrupt& interrupt) {
  const uintptr_t address = board::interrupted_address();
  if (interrupt.kind == board::InterruptKind::kNone) return;
  board::timer_stop();
  board::interrupt_end(interrupt);
  ++running.strikes;
  running.address = address;
  all_addresses.add(address);
  const Findings moment = look_at_moment(running.expected);
  if (moment.wrong != nullptr) fail(moment.wrong);
  running.action->strike();
}

void leave_room(uint32_t bytes) {
  constexpr uint32_t kLargest = 256;
  const barefxt::Ring& ring = barefxt::rings[0];
  while (true) {
    const uint32_t room = ring.memory_bytes - Place::offset(ring.position.load_relaxed());
    if (room == bytes) return;
    uint32_t filler = room - bytes;
    if (filler > kLargest) filler = kLargest - kMinFillerBytes;
    running.expected.fillers.add({1, filler});
    write_filler(filler);
  }
}

// The next addition carries, on CPUs with words of 32 bits.
void let_nearly_carry(barefxt::Total& total) {
  total.add(0x7fffffff);
  total.add(0x7fffffff);
  total.add(1);
}

void go_to(const Start& start_at, uint32_t path_bytes) {
  if (start_at.room != Room::kAmple) {
    let_nearly_carry(barefxt::rings[0].records_lost);
    let_nearly_carry(barefxt::rings[0].bytes_lost);
  }
  constexpr uint32_t kWord = sizeof(uint64_t);
  if (start_at.room == Room::kExact) leave_room(path_bytes);
  if (start_at.room == Room::kSmallest) leave_room(2 * kWord);
  if (start_at.room == Room::kNone || start_at.room == Room::kClosed) leave_room(kWord);
  if (start_at.room == Room::kClosed) write_filler(kMinFillerBytes);
  running.expected.lost_before = {barefxt::rings[0].records_lost.value(),
                                  barefxt::rings[0].bytes_lost.value()};
}

// Restores the state after boot, and starts a session unless the path does.
void begin(const Path& path) {
  forget_session();
  forget_threads();
  register_threads(path.entries_left);
  if (path.kind == Kind::kStarts) return;
  start();
  barefxt::rings[0].set_current(threads.running);
}

// False: the path had ended before instruction k.
bool attempt(const Start& start_at, uint64_t k) {
  barefxt_clock_tick();
  begin(*running.path);
  running.strikes = 0;
  running.registered = false;
  const Reference* const path = running.expected.path;
  running.expected = {};
  running.expected.path = path;
  running.expected.is_cut = running.path->kind != Kind::kWrites;
  if (running.path->kind != Kind::kStarts) go_to(start_at, path->bytes());
  board::interrupts_enable();
  board::timer_fire_after(k);
  running.path->write();
  board::timer_stop();
  board::interrupts_save_and_disable();
  return running.strikes != 0;
}

Findings conclude() {
  const bool was_stopped = running.strikes != 0 && running.action->look == &look_after_stop;
  if (was_stopped && barefxt_enabled_categories != 0) fail("enabled_after_stop");
  const barefxt_stop_report report = barefxt_stop();
  Findings findings = was_stopped ? look_after_stop(running.expected, running.report)
                                  : look_at_rest(running.expected, report);
  if (running.wrong != nullptr) findings.wrong = running.wrong;
  if (!is_table_sound(running.path->kind == Kind::kRegisters, running.registered) &&
      findings.wrong == nullptr)
    findings.wrong = "table";
  return findings;
}

// ---- All of them

void print_amount(const char* name, const Amount& amount) {
  print(" ", name, "=", amount.records, " ", name, "_bytes=", amount.bytes);
}

void print_outcome(const Start& start_at, const sweep::Steps& steps, const Findings& sum,
                   uint32_t by) {
  print("SWEEP path=", running.path->name, " mode=linear place=", start_at.name,
        " action=", running.action->name, " interrupts=", steps.count(),
        " skipped=", by == 1 ? steps.skipped() : 0);
  print_amount("attempted", sum.attempted);
  print_amount("read", sum.read);
  print_amount("lost", sum.lost);
  if (sum.wrong == nullptr)
    print(" result=ok\n");
  else
    print(" result=", sum.wrong, " address=", Hex{running.address}, "\n");
}

// From one interrupt to the next, in instructions. As in sweep/experiment.h, the first one differs
// from experiment to experiment.
uint32_t step;
uint32_t experiments;

// The instructions at which the first interrupt came right before a swap.
struct Swaps {
  static constexpr unsigned kMax = 8;
  unsigned count;
  uint64_t at[kMax];
};

void begin_experiment(unsigned path, const Action& action) {
  running = {};
  running.path = &paths[path];
  running.action = &action;
  running.expected.path = &of_path[path];
}

// Adds the findings of an attempt to those of its experiment.
void take(Findings& sum, const Findings& findings) {
  sum.wrong = findings.wrong;
  sum.attempted.add(findings.attempted);
  sum.read.add(findings.read);
  sum.lost.add(findings.lost);
}

bool interrupt_everywhere(unsigned path, const Start& start_at, const Action& action,
                          Swaps* swaps = nullptr) {
  begin_experiment(path, action);
  sweep::Steps steps;
  Findings sum = {};
  const uint32_t by = swaps != nullptr ? 1 : step;
  for (uint64_t k = 1 + experiments++ % by; sum.wrong == nullptr; k += by) {
    const bool struck = attempt(start_at, k);
    take(sum, conclude());
    if (!struck) break;
    steps.take(running.address);
    if (swaps != nullptr && swaps->count < Swaps::kMax && board::is_swap(running.address))
      swaps->at[swaps->count++] = k;
  }
  print_outcome(start_at, steps, sum, by);
  return sum.wrong == nullptr;
}

// Interrupts code behind a swap that failed: another interrupt at every instruction from there on.
// The first one comes right before the swap, and ahead of the load that it may begin with.
bool interrupt_again(unsigned path, const Start& start_at, const Action& action,
                     const Swaps& swaps) {
  constexpr uint64_t kAhead = 8;
  bool sound = swaps.count != 0;
  for (unsigned i = 0; i < 2 * swaps.count; ++i) {
    const uint64_t first = swaps.at[i / 2] - (i % 2) * kAhead;
    begin_experiment(path, action);
    sweep::Steps steps;
    Findings sum = {};
    for (running.again_after = 1 + experiments++ % step; sum.wrong == nullptr;
         running.again_after += step) {
      attempt(start_at, first);
      const bool struck_again = running.strikes > 1;
      take(sum, conclude());
      if (!struck_again) break;
      steps.take(running.address);
    }
    print_outcome(start_at, steps, sum, step);
    sound = sum.wrong == nullptr && sound;
  }
  return sound;
}

void learn() {
  for (learning = 0; learning < kPaths; ++learning)
    of_path[learning].learn([] { begin(paths[learning]); }, paths[learning].write);
  for (learning = 0; learning < kInterrupted; ++learning)
    of_handler[learning].learn(
        [] {
          begin(paths[0]);
          barefxt::rings[0].set_current(*interrupted_thread(learning));
        },
        &write_in_handler);
  of_ungated_events.learn([] { begin(paths[0]); }, &write_ungated_events);
}

// Interrupts in all places. The code behind a swap that failed is the same in every place of a
// path, and in all paths that lose the same.
bool interrupt_writer(unsigned path) {
  bool sound = true;
  for (const Start& start_at : kStarts) {
    Swaps swaps = {};
    sound = interrupt_everywhere(path, start_at, kWrite, &swaps) && sound;
    sound = interrupt_everywhere(path, start_at, kFill) && sound;
    sound = interrupt_everywhere(path, start_at, kStop) && sound;
    const bool loses = &start_at == &kLast && path == kInstant;
    if (&start_at == &kOpen || loses)
      sound = interrupt_again(path, start_at, kAgain, swaps) && sound;
    if (loses) sound = interrupt_again(path, start_at, kAfterStop, swaps) && sound;
  }
  return sound;
}

bool interrupt_end(unsigned path) {
  bool sound = true;
  for (const Start& start_at : kStarts) {
    sound = interrupt_everywhere(path, start_at, kWrite) && sound;
    sound = interrupt_everywhere(path, start_at, kUngated) && sound;
    sound = interrupt_everywhere(path, start_at, kStop) && sound;
  }
  return sound;
}

bool interrupt_start(unsigned path) {
  const bool sound = interrupt_everywhere(path, kOpen, kWrite);
  return interrupt_everywhere(path, kOpen, kUngated) && sound;
}

bool interrupt_registration(unsigned path) {
  Swaps swaps = {};
  bool sound = interrupt_everywhere(path, kOpen, kWrite, &swaps);
  sound = interrupt_everywhere(path, kOpen, kRegister) && sound;
  if (paths[path].entries_left == 0) return sound;
  return interrupt_again(path, kOpen, kAfterRegister, swaps) && sound;
}

}  // namespace

bool sweep(uint32_t every) {
  step = every;
  board::interrupts_initialize_cpu();
  learn();
  interrupt_instead = &handle;
  bool sound = true;
  for (unsigned path = 0; path < kPaths; ++path) {
    switch (paths[path].kind) {
      case Kind::kWrites:
        sound = interrupt_writer(path) && sound;
        break;
      case Kind::kEnds:
        sound = interrupt_end(path) && sound;
        break;
      case Kind::kStarts:
        sound = interrupt_start(path) && sound;
        break;
      case Kind::kRegisters:
        sound = interrupt_registration(path) && sound;
        break;
    }
  }
  all_addresses.print("all");
  print("SWEEP end\n");
  return sound;
}

}  // namespace kernel::linear
