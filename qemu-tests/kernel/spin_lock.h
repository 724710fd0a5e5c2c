// A lock between CPUs. Taken with interrupts off, held briefly, not recursive.
#pragma once

#include <stdint.h>

#include "kernel/board.h"

namespace kernel {

class SpinLock {
 public:
  void acquire() {
    if constexpr (board::kMaxCpus > 1) {
      while (__atomic_exchange_n(&held_, 1U, __ATOMIC_ACQUIRE) != 0) {
        while (__atomic_load_n(&held_, __ATOMIC_RELAXED) != 0) board::relax();
      }
    }
  }
  void release() {
    if constexpr (board::kMaxCpus > 1) __atomic_store_n(&held_, 0U, __ATOMIC_RELEASE);
  }

 private:
  uint32_t held_ = 0;
};

}  // namespace kernel
