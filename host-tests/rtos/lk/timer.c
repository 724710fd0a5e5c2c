/* The stand-in for LK: timers, which fire when the test calls them, and interrupts. */
#include <kernel/debug.h>
#include <kernel/timer.h>

#include "lk.h"

void timer_set_oneshot(timer_t* timer, lk_time_t delay, timer_callback callback, void* argument) {
  (void)delay;
  timer->callback = callback;
  timer->arg = argument;
}

void stand_in_fire(timer_callback callback, void* argument) {
  kernel_evlog_add(KERNEL_EVLOG_TIMER_CALL, (uintptr_t)callback, (uintptr_t)argument);
  callback(NULL, 0, argument);
}

static enum handler_return do_nothing(timer_t* timer, lk_time_t now, void* argument) {
  (void)timer;
  (void)now;
  (void)argument;
  return INT_NO_RESCHEDULE;
}

void stand_in_timer(void* argument) { stand_in_fire(do_nothing, argument); }

void stand_in_interrupt_enter(unsigned number) {
  kernel_evlog_add(KERNEL_EVLOG_IRQ_ENTER, number, 0);
}
void stand_in_interrupt_exit(unsigned number) {
  kernel_evlog_add(KERNEL_EVLOG_IRQ_EXIT, number, 0);
}
