#include "sweep/other_thread.h"

#include "kernel/board.h"
#include "kernel/panic.h"

namespace kernel::sweep {
namespace {

alignas(16) uint8_t stack[board::kStackBytes];

}  // namespace

OtherThread& other() {
  static OtherThread thread;
  return thread;
}

OtherThread::OtherThread() : stack_pointer_(board::prepare_stack(stack + sizeof stack, &run)) {}

void OtherThread::run() {
  OtherThread& self = other();
  for (;;) {
    if (self.ticks_ != 0) {
      board::interrupts_enable();
      board::timer_fire_after(self.ticks_);
    }
    self.write_();
    if (self.ticks_ != 0) {
      board::timer_stop();
      board::interrupts_save_and_disable();
    }
    self.done_ = true;
    self.leave();
  }
}

void OtherThread::switch_to_it() { switch_(&main_stack_pointer_, stack_pointer_); }
void OtherThread::leave() { switch_(&stack_pointer_, main_stack_pointer_); }

void OtherThread::run_and_stop(void (*write)(), uint64_t ticks) {
  KERNEL_ASSERT(done_);
  switch_ = &board_context_switch;
  write_ = write;
  ticks_ = ticks;
  done_ = false;
  switch_to_it();
}

void OtherThread::run_until_it_leaves(void (*write)(), Switch how) {
  KERNEL_ASSERT(done_);
  switch_ = how;
  write_ = write;
  ticks_ = 0;
  done_ = false;
  switch_to_it();
}

void OtherThread::resume() {
  if (!done_) switch_to_it();
}

}  // namespace kernel::sweep
