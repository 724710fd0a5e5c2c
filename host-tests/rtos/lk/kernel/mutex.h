#ifndef KERNEL_MUTEX_H
#define KERNEL_MUTEX_H

#include <kernel/thread.h>

typedef struct mutex {
  thread_t* holder;
  wait_queue_t wait;
} mutex_t;
status_t mutex_acquire_timeout(mutex_t* mutex, lk_time_t timeout);
status_t mutex_release(mutex_t* mutex);

#endif
