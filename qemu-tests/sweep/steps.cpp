#include "sweep/steps.h"

#include "kernel/board.h"

namespace kernel::sweep {

void Steps::take(uintptr_t address) {
  // At the same place twice: the timer's first ticks pass while it is set.
  if (last_ != 0 && address != last_ && !board::may_follow(last_, address)) {
    ++skipped_;
    skipped_after_ = last_;
  }
  last_ = address;
  ++count_;
}

}  // namespace kernel::sweep
