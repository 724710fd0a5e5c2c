// Sums up the repetitions of an experiment, and prints them in a line.
#pragma once

#include "sweep/experiment.h"
#include "sweep/steps.h"

namespace kernel::sweep {

// All zeros: nothing yet.
struct Outcome {
  void take(const Findings& findings);

  const char* wrong;  // null, or what is wrong
  Amount attempted;
  Amount read;
  Amount lost;
  Amount overwritten;
  Amount drained;
  Steps steps;
};

// SWEEP ..., of the experiment that is running.
void print_outcome(const Experiment& experiment, const Outcome& outcome, uint32_t addresses);

}  // namespace kernel::sweep
