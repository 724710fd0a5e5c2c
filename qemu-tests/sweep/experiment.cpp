#include "sweep/experiment.h"

#include "kernel/board.h"
#include "kernel/console.h"
#include "kernel/interrupt.h"
#include "kernel/panic.h"

namespace kernel::sweep {

Running running;

namespace {

constexpr uint64_t kMaxInstructions = 1000000;

Reference references[kWriters][kMaxPaths];
void (*on_interrupt)();
Addresses* addresses_struck;
uint32_t strikes_until_counted;

void handle(const board::Interrupt& interrupt) {
  const uintptr_t address = board::interrupted_address();
  if (interrupt.kind == board::InterruptKind::kNone) return;
  board::timer_stop();
  board::interrupt_end(interrupt);
  if (running.strikes == strikes_until_counted) running.address = address;
  ++running.strikes;
  addresses_struck->add(address);
  on_interrupt();
}

struct Sums {
  Amount attempted;
  Amount read;
  Amount lost;
  Amount overwritten;
  Amount drained;
};

void print_amount(const char* name, const Amount& amount) {
  print(" ", name, "=", amount.records, " ", name, "_bytes=", amount.bytes);
}

// What an undisturbed CPU did between two interrupts that came one instruction apart.
class Steps {
 public:
  void take(uintptr_t address) {
    // At the same place twice: the timer's first ticks pass while it is set.
    if (last_ != 0 && address != last_ && !board::may_follow(last_, address)) {
      ++skipped_;
      skipped_after_ = last_;
    }
    last_ = address;
    ++count_;
  }
  uint64_t count() const { return count_; }
  uint64_t skipped() const { return skipped_; }
  uintptr_t skipped_after() const { return skipped_after_; }

 private:
  uintptr_t last_ = 0;
  uint64_t count_ = 0;
  uint64_t skipped_ = 0;
  uintptr_t skipped_after_ = 0;
};

void begin(const Experiment& experiment, uint64_t instruction) {
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
  go_to(*experiment.mode, *experiment.place, running.path[kInterrupted]->runs,
        running.expected.reference[kInterrupted]->bytes());
  if (experiment.action->before != nullptr) experiment.action->before();
}

Findings end(const Experiment& experiment) {
  if (experiment.action->after != nullptr) experiment.action->after();
  finish_place();
  const barefxt_stop_report report = barefxt_stop();
  Findings findings = experiment.action->look != nullptr
                          ? experiment.action->look(running.expected, report)
                          : look_at_rest(running.expected, report);
  if (running.wrong != nullptr) findings.wrong = running.wrong;
  return findings;
}

void print_result(const Experiment& experiment, const Sums& sums, const Steps& steps,
                  uint32_t addresses, const char* wrong) {
  print("SWEEP path=", running.path[kInterrupted]->name, " mode=", experiment.mode->name,
        " place=", experiment.place->name, " action=", experiment.action->name,
        " parameter=", experiment.parameter + experiment.first, " interrupts=", steps.count());
  print(" addresses=", addresses, " skipped=", experiment.step == 1 ? steps.skipped() : 0);
  if (experiment.step == 1 && steps.skipped() != 0)
    print(" skipped_after=", Hex{steps.skipped_after()});
  print_amount("attempted", sums.attempted);
  print_amount("read", sums.read);
  print_amount("lost", sums.lost);
  print_amount("overwritten", sums.overwritten);
  print_amount("drained", sums.drained);
  if (wrong == nullptr) return print(" result=ok\n");
  print(" result=", wrong, " k=", running.instruction, " address=", Hex{running.address}, "\n");
}

}  // namespace

void fail(const char* what) {
  if (running.wrong == nullptr) running.wrong = what;
}

void on_strike(void (*strike)()) { on_interrupt = strike; }

void learn_paths() {
  for (unsigned writer = 0; writer < kWriters; ++writer) {
    const Paths paths = paths_of(static_cast<Writer>(writer));
    for (unsigned i = 0; i < paths.count; ++i) references[writer][i].learn(paths.path[i]);
  }
  interrupt_instead = &handle;
}

unsigned path_count() { return paths_of(kInterrupted).count; }
const Path& path_at(unsigned path) { return paths_of(kInterrupted).path[path]; }

Addresses& discarded_addresses() {
  static Addresses addresses;
  return addresses;
}

void rehearse(const Experiment& experiment) {
  strikes_until_counted = 0;
  addresses_struck = &discarded_addresses();
  begin(experiment, 0);
  end(experiment);
}

Result sweep(const Experiment& experiment, Addresses& all_addresses) {
  static Addresses addresses;
  Result result = {};
  strikes_until_counted = experiment.first != 0 ? 1 : 0;
  addresses.clear();
  addresses_struck = &all_addresses;
  Sums sums = {};
  Steps steps;
  const char* wrong = nullptr;
  for (uint64_t k = 1; wrong == nullptr; k += experiment.step) {
    KERNEL_ASSERT(k < kMaxInstructions);
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

    const Findings findings = end(experiment);
    wrong = findings.wrong;
    add(sums.attempted, findings.attempted);
    add(sums.read, findings.read);
    add(sums.lost, findings.lost);
    add(sums.overwritten, findings.overwritten);
    add(sums.drained, findings.drained);
    if (!struck) break;
    addresses.add(running.address);
    steps.take(running.address);
    if (board::is_swap(running.address) && result.swaps < Result::kMaxSwaps)
      result.swap[result.swaps++] = k;
  }
  print_result(experiment, sums, steps, addresses.count(), wrong);
  result.sound = wrong == nullptr;
  return result;
}

}  // namespace kernel::sweep
