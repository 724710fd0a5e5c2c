// A counting semaphore.
#include "kernel/semaphore.h"

#include "kernel/scheduler.h"

namespace kernel {

void Semaphore::down() {
  const scheduler::Lock guard;
  if (count_ > 0) {
    --count_;
  } else {
    scheduler::block_in(waiters_);  // the count goes from hand to hand
  }
}

void Semaphore::up() {
  const scheduler::Lock guard;
  Thread* waiter = waiters_.pop();
  if (waiter != nullptr) {
    scheduler::make_ready(waiter);
  } else {
    ++count_;
  }
}

}  // namespace kernel
