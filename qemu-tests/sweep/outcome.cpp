#include "sweep/outcome.h"

#include "kernel/console.h"

namespace kernel::sweep {

void Outcome::take(const Findings& findings) {
  wrong = findings.wrong;
  add(attempted, findings.attempted);
  add(read, findings.read);
  add(lost, findings.lost);
  add(overwritten, findings.overwritten);
  add(drained, findings.drained);
}

namespace {

void print_amount(const char* name, const Amount& amount) {
  print(" ", name, "=", amount.records, " ", name, "_bytes=", amount.bytes);
}

}  // namespace

void print_outcome(const Experiment& experiment, const Outcome& outcome, uint32_t addresses) {
  const Steps& steps = outcome.steps;
  print("SWEEP path=", path_at(experiment.path).name, " mode=", experiment.mode->name,
        " place=", experiment.place->name, " action=", experiment.action->name,
        " parameter=", experiment.parameter + experiment.first, " interrupts=", steps.count());
  print(" addresses=", addresses, " skipped=", experiment.step == 1 ? steps.skipped() : 0);
  if (experiment.step == 1 && steps.skipped() != 0)
    print(" skipped_after=", Hex{steps.skipped_after()});
  print_amount("attempted", outcome.attempted);
  print_amount("read", outcome.read);
  print_amount("lost", outcome.lost);
  print_amount("overwritten", outcome.overwritten);
  print_amount("drained", outcome.drained);
  if (outcome.wrong == nullptr) return print(" result=ok\n");
  print(" result=", outcome.wrong, " k=", running.instruction, " address=", Hex{running.address},
        "\n");
}

}  // namespace kernel::sweep
