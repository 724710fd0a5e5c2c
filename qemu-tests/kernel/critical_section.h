// Interrupts off on this CPU for a scope. The thread stays on its CPU, nothing comes between.
#pragma once

#include "kernel/board.h"

namespace kernel {

class CriticalSection {
 public:
  CriticalSection() : state_(board::interrupts_save_and_disable()) {}
  ~CriticalSection() { board::interrupts_restore(state_); }
  CriticalSection(const CriticalSection&) = delete;
  CriticalSection& operator=(const CriticalSection&) = delete;

 private:
  board::InterruptState state_;
};

}  // namespace kernel
