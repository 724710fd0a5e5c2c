#ifndef KERNEL_DEBUG_H
#define KERNEL_DEBUG_H

#include <stdint.h>

void kernel_evlog_add(uintptr_t id, uintptr_t first, uintptr_t second);
enum {
  KERNEL_EVLOG_NULL = 0,
  KERNEL_EVLOG_CONTEXT_SWITCH,
  KERNEL_EVLOG_PREEMPT,
  KERNEL_EVLOG_TIMER_TICK,
  KERNEL_EVLOG_TIMER_CALL,
  KERNEL_EVLOG_IRQ_ENTER,
  KERNEL_EVLOG_IRQ_EXIT,
};

#endif
