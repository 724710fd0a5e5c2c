// What the many times of an experiment come to, and the line that tells it.
#pragma once

#include "sweep/experiment.h"

namespace kernel::sweep {

// What an undisturbed CPU did between two interrupts that came one instruction apart.
class Steps {
 public:
  void take(uintptr_t address);
  uint64_t count() const { return count_; }
  uint64_t skipped() const { return skipped_; }
  uintptr_t skipped_after() const { return skipped_after_; }

 private:
  uintptr_t last_ = 0;
  uint64_t count_ = 0;
  uint64_t skipped_ = 0;
  uintptr_t skipped_after_ = 0;
};

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
