#ifndef KERNEL_SEMAPHORE_H
#define KERNEL_SEMAPHORE_H

#include <kernel/thread.h>

typedef struct semaphore {
  int state;
  wait_queue_t wait;
} semaphore_t;
status_t sem_wait(semaphore_t* semaphore);
status_t sem_timedwait(semaphore_t* semaphore, lk_time_t timeout);
int sem_post(semaphore_t* semaphore, bool reschedule);

#endif
