#include "sweep/experiment.h"

#include "kernel/board.h"
#include "kernel/interrupt.h"
#include "kernel/panic.h"
#include "sweep/outcome.h"

namespace kernel::sweep {

Running running;

namespace {

constexpr uint64_t kMaxInstructions = 1000000;

// Learned before they are read: not cleared, which would take a third of a boot.
__attribute__((section(".noinit"))) Reference references[kWriters][kMaxPaths];
void (*on_interrupt)();
Addresses* addresses_struck;
uint32_t strikes_until_counted;

void interrupt_path(const board::Interrupt& interrupt) {
  const uintptr_t address = board::interrupted_address();
  if (interrupt.kind == board::InterruptKind::kNone) return;
  board::timer_stop();
  board::interrupt_end(interrupt);
  if (running.strikes == strikes_until_counted) running.address = address;
  ++running.strikes;
  addresses_struck->add(address);
  on_interrupt();
}

void begin(const Experiment& experiment, uint64_t instruction) {
  KERNEL_ASSERT(instruction < kMaxInstructions);
  // A sweep takes the timer from the kernel, and with it this.
  barefxt_clock_tick();
  running = {};
  running.experiment = &experiment;
  running.instruction = instruction;
  for (unsigned writer = 0; writer < kWriters; ++writer) {
    running.path[writer] = &paths_of(static_cast<Writer>(writer)).path[experiment.path];
    running.expected.reference[writer] = &references[writer][experiment.path];
  }
  running.expected.loses = experiment.place->loses || experiment.action->loses ||
                           references[kInterrupted][experiment.path].loses();
  running.expected.stops = experiment.place->stops;
  // The kernel's tick is off.
  barefxt_clock_tick();
  go_to(*experiment.mode, *experiment.place, running.path[kInterrupted]->runs,
        running.expected.reference[kInterrupted]->bytes());
  if (experiment.action->before != nullptr) experiment.action->before();
}

}  // namespace

Findings conclude(const Experiment& experiment) {
  if (experiment.action->after != nullptr) experiment.action->after();
  finish_place();
  const barefxt_stop_report report = barefxt_stop();
  Findings findings = experiment.action->look != nullptr
                          ? experiment.action->look(running.expected, report)
                          : look_at_rest(running.expected, report);
  if (running.wrong != nullptr) findings.wrong = running.wrong;
  return findings;
}

bool attempt(const Experiment& experiment, uint64_t k, Addresses& addresses) {
  strikes_until_counted = experiment.first != 0 ? 1 : 0;
  addresses_struck = &addresses;
  begin(experiment, k);
  running.strikes = 0;
  running.expected.wrote[kInterrupted] = true;
  void (*const write)() = running.path[kInterrupted]->write;
  on_interrupt = experiment.action->strike;
  board::interrupts_enable();
  board::timer_fire_after(experiment.first != 0 ? experiment.first : k);
  write();
  const bool struck = running.strikes > strikes_until_counted;
  board::timer_stop();
  board::interrupts_save_and_disable();
  return struck;
}

void fail(const char* what) {
  if (running.wrong == nullptr) running.wrong = what;
}

void on_strike(void (*strike)()) { on_interrupt = strike; }

void learn_path(unsigned path) {
  for (unsigned writer = 0; writer < kWriters; ++writer)
    references[writer][path].learn(paths_of(static_cast<Writer>(writer)).path[path]);
  interrupt_instead = &interrupt_path;
}
void learn_paths() {
  for (unsigned i = 0; i < path_count(); ++i) learn_path(i);
}

unsigned path_count() { return paths_of(kInterrupted).count; }
const Path& path_at(unsigned path) { return paths_of(kInterrupted).path[path]; }

Addresses& discarded_addresses() {
  static Addresses addresses;
  return addresses;
}

Findings rehearse(const Experiment& experiment) {
  strikes_until_counted = 0;
  addresses_struck = &discarded_addresses();
  begin(experiment, 0);
  return conclude(experiment);
}

Result sweep(const Experiment& experiment, Addresses& all_addresses) {
  static Addresses addresses;
  static uint32_t sweeps;
  Result result = {};
  addresses.clear();
  Outcome outcome = {};
  for (uint64_t k = 1 + sweeps++ % experiment.step; outcome.wrong == nullptr;
       k += experiment.step) {
    const bool struck = attempt(experiment, k, all_addresses);
    outcome.take(conclude(experiment));
    if (!struck) break;
    addresses.add(running.address);
    outcome.steps.take(running.address);
    if (board::is_swap(running.address) && result.swaps < Result::kMaxSwaps)
      result.swap[result.swaps++] = k;
  }
  print_outcome(experiment, outcome, addresses.count());
  result.sound = outcome.wrong == nullptr;
  return result;
}

}  // namespace kernel::sweep
