// Checks that no instruction was left out between interrupts.
#pragma once

#include <stdint.h>

namespace kernel::sweep {

// The steps of an undisturbed CPU between two interrupts that came one instruction apart.
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

}  // namespace kernel::sweep
