// A second thread of control on the one CPU, to be stopped in the middle of a write and switched to
// in the middle of another's. It runs only when it is switched to.
#pragma once

#include <stdint.h>

#include "kernel/board.h"

namespace kernel::sweep {

class OtherThread {
 public:
  OtherThread();

  using Switch = void (*)(void** save, void* next);

  // Runs `write` there until an interrupt after `ticks`, or to its end. The interrupt's handler
  // calls leave(). Interrupts off.
  void run_and_stop(void (*write)(), uint64_t ticks);

  // The same, with a `write` that leaves by itself, by leave(); and switches made by `how`.
  void run_until_it_leaves(void (*write)(), Switch how);

  // Called there: goes on with the thread that switched to it.
  void leave();

  // Goes on there until `write` is done. From a handler too; interrupts off.
  void resume();

 private:
  static void run();
  void switch_to_it();

  void* stack_pointer_ = nullptr;
  void* main_stack_pointer_ = nullptr;
  Switch switch_ = &board_context_switch;
  void (*write_)() = [] {};
  uint64_t ticks_ = 0;  // 0: no interrupt
  volatile bool done_ = true;
};

OtherThread& other();  // the only one

}  // namespace kernel::sweep
