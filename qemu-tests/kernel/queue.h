// A bounded queue between threads. Senders wait while it is full, receivers while it is empty.
#pragma once

#include "kernel/panic.h"
#include "kernel/scheduler.h"
#include "kernel/thread.h"

namespace kernel {

template <typename T, unsigned Capacity>
class Queue {
 public:
  void send(const T& item) {
    const scheduler::Lock guard;
    KERNEL_ASSERT(!closed_);
    while (count_ == Capacity) scheduler::block_in(senders_);
    items_[(first_ + count_) % Capacity] = item;
    ++count_;
    wake_one(receivers_);
  }

  // False: closed, and nothing is left.
  bool receive(T& item) {
    const scheduler::Lock guard;
    while (count_ == 0) {
      if (closed_) return false;
      scheduler::block_in(receivers_);
    }
    item = items_[first_];
    first_ = (first_ + 1) % Capacity;
    --count_;
    wake_one(senders_);
    return true;
  }

  // Nothing more will be sent.
  void close() {
    const scheduler::Lock guard;
    closed_ = true;
    while (!receivers_.empty()) wake_one(receivers_);
  }

  // A snapshot, for show.
  unsigned count() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED); }

 private:
  static_assert((Capacity & (Capacity - 1)) == 0, "a remainder that needs no division");

  static void wake_one(ThreadList& list) {
    Thread* thread = list.pop();
    if (thread != nullptr) scheduler::make_ready(thread);
  }

  T items_[Capacity] = {};
  unsigned first_ = 0;
  unsigned count_ = 0;
  bool closed_ = false;
  ThreadList senders_;
  ThreadList receivers_;
};

}  // namespace kernel
