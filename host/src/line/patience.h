// A wait for another side that ends at an interrupt and at a deadline.
#pragma once

#include <chrono>

#include "interrupts.h"

namespace barefxt::line {

struct Patience {
  const Interrupts& interrupts;
  std::chrono::steady_clock::time_point end;
};

// Waits until `handle` has one of poll()'s events. Returns 0, EINTR at an interrupt, or ETIMEDOUT.
int wait_for(int handle, short events, const Patience& patience);

}  // namespace barefxt::line
