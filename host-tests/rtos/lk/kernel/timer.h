#ifndef KERNEL_TIMER_H
#define KERNEL_TIMER_H

#include <kernel/thread.h>

enum handler_return { INT_NO_RESCHEDULE = 0, INT_RESCHEDULE };
struct timer;
typedef enum handler_return (*timer_callback)(struct timer* timer, lk_time_t now, void* argument);
typedef struct timer {
  timer_callback callback;
  void* arg;
} timer_t;
void timer_set_oneshot(timer_t* timer, lk_time_t delay, timer_callback callback, void* argument);

#endif
