// A counting semaphore. Waiters are served in the order they came.
#pragma once

#include <stdint.h>

#include "kernel/thread.h"

namespace kernel {

class Semaphore {
 public:
  explicit constexpr Semaphore(uint32_t count) : count_(count) {}

  void down();
  void up();  // context: any that may take the scheduler's lock, interrupts included

 private:
  uint32_t count_;
  ThreadList waiters_;
};

}  // namespace kernel
