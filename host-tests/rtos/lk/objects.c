/* The stand-in for LK: what threads wait for: always, or never. */
#include <kernel/event.h>
#include <kernel/mutex.h>
#include <kernel/port.h>
#include <kernel/semaphore.h>

bool stand_in_is_free;

static status_t block(wait_queue_t* wait, lk_time_t timeout) {
  if (stand_in_is_free) return NO_ERROR;
  THREAD_LOCK(state);
  if (wait->list.next == NULL) wait_queue_init(wait);
  const status_t status = wait_queue_block(wait, timeout);
  THREAD_UNLOCK(state);
  return status;
}

static int wake(wait_queue_t* wait, bool now) {
  THREAD_LOCK(state);
  if (wait->list.next == NULL) wait_queue_init(wait);
  const int count = wait_queue_wake_one(wait, now, NO_ERROR);
  THREAD_UNLOCK(state);
  return count;
}

status_t mutex_acquire_timeout(mutex_t* mutex, lk_time_t timeout) {
  return block(&mutex->wait, timeout);
}
status_t mutex_release(mutex_t* mutex) { return wake(&mutex->wait, true); }
status_t event_wait_timeout(event_t* event, lk_time_t timeout) {
  return block(&event->wait, timeout);
}
int event_signal(event_t* event, bool now) { return wake(&event->wait, now); }
status_t sem_wait(semaphore_t* semaphore) { return block(&semaphore->wait, INFINITE_TIME); }
status_t sem_timedwait(semaphore_t* semaphore, lk_time_t timeout) {
  return block(&semaphore->wait, timeout);
}
int sem_post(semaphore_t* semaphore, bool now) { return wake(&semaphore->wait, now); }
status_t port_read(port_t port, lk_time_t timeout, port_result_t* result) {
  (void)result;
  return block((wait_queue_t*)port, timeout);
}
