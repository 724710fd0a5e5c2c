// A mutex.
#include "kernel/mutex.h"

#include "kernel/panic.h"
#include "kernel/scheduler.h"

namespace kernel {

bool Mutex::lock() {
  const scheduler::Lock guard;
  Thread* self = scheduler::this_cpu().current;
  if (owner_ == nullptr) {
    owner_ = self;
    return false;
  }
  KERNEL_ASSERT(owner_ != self);
  scheduler::block_in(waiters_);
  KERNEL_ASSERT(owner_ == self);
  return true;
}

void Mutex::unlock() {
  const scheduler::Lock guard;
  KERNEL_ASSERT(owner_ == scheduler::this_cpu().current);
  owner_ = waiters_.pop();
  if (owner_ != nullptr) scheduler::make_ready(owner_);
}

}  // namespace kernel
