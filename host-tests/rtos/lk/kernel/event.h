#ifndef KERNEL_EVENT_H
#define KERNEL_EVENT_H

#include <kernel/thread.h>

typedef struct event {
  int state;
  wait_queue_t wait;
} event_t;
status_t event_wait_timeout(event_t* event, lk_time_t timeout);
int event_signal(event_t* event, bool reschedule);

#endif
