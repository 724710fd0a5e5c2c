// A mutex that measures how long a thread waited for it.
//
// It goes from the owner that unlocks to the thread that waited longest, so a waiter wakes up
// owning it.
#pragma once

#include <stdint.h>

#include "kernel/categories.h"
#include "kernel/tally.h"
#include "kernel/thread.h"

namespace kernel {

class Mutex {
 public:
  // Returns true if the mutex was held by another, so that the caller waited.
  bool lock();
  void unlock();

 private:
  Thread* owner_ = nullptr;
  ThreadList waiters_;
};

}  // namespace kernel

// Locks, and records the wait if there was one, from before the call: so that it lies around what
// is recorded in there. A macro since names are literals.
#define KERNEL_MUTEX_LOCK(mutex, name)                                   \
  do {                                                                   \
    const uint64_t kernel_wait_began = barefxt_ticks();                  \
    if ((mutex).lock()) {                                                \
      ::kernel::tally::probe(TALLY_DURATION_COMPLETE);                   \
      BAREFXT_DURATION_COMPLETE(lock, name, kernel_wait_began,           \
                                BAREFXT_ARG_POINTER("mutex", &(mutex))); \
    }                                                                    \
  } while (false)
