/* The stand-in for LK: its application. */
#include <kernel/event.h>
#include <kernel/mutex.h>
#include <kernel/port.h>
#include <kernel/semaphore.h>

#include "lk.h"

/* A mutex where there was an event, as in memory that is used again. */
static union {
  mutex_t mutex;
  event_t event;
} objects[2];
static semaphore_t semaphores[2];
static wait_queue_t port_queues[2];
static wait_queue_t queues[2];

void stand_in_resume(stand_in_thread* thread) { thread_resume(thread); }
void stand_in_resume_detached(stand_in_thread* thread) { thread_detach_and_resume(thread); }
void stand_in_set_name(const char* name) { thread_set_name(name); }

void stand_in_wait(stand_in_kind kind, unsigned which, stand_in_thread* to,
                   void (*meanwhile)(void)) {
  stand_in_set_next(to, meanwhile);
  switch (kind) {
    case STAND_IN_MUTEX:
      mutex_acquire_timeout(&objects[which].mutex, INFINITE_TIME);
      break;
    case STAND_IN_SEMAPHORE:
      sem_wait(&semaphores[which]);
      break;
    case STAND_IN_SEMAPHORE_TIMED:
      sem_timedwait(&semaphores[which], 10);
      break;
    case STAND_IN_EVENT:
      event_wait_timeout(&objects[which].event, 10);
      break;
    case STAND_IN_PORT:
      port_read(&port_queues[which], INFINITE_TIME, NULL);
      break;
    case STAND_IN_QUEUE: {
      THREAD_LOCK(state);
      if (queues[which].list.next == NULL) wait_queue_init(&queues[which]);
      wait_queue_block(&queues[which], INFINITE_TIME);
      THREAD_UNLOCK(state);
      break;
    }
  }
}

void stand_in_hold(unsigned mutex, stand_in_thread* thread) {
  objects[mutex].mutex.holder = thread;
}

void stand_in_take_and_give(unsigned mutex) {
  stand_in_is_free = true;
  mutex_acquire_timeout(&objects[mutex].mutex, INFINITE_TIME);
  stand_in_is_free = false;
  mutex_release(&objects[mutex].mutex);
}

void stand_in_join(stand_in_thread* thread, stand_in_thread* to, void (*meanwhile)(void)) {
  stand_in_set_next(to, meanwhile);
  thread_join(thread, NULL, INFINITE_TIME);
}

static wait_queue_t* queue_of(stand_in_kind kind, unsigned which) {
  switch (kind) {
    case STAND_IN_MUTEX:
      return &objects[which].mutex.wait;
    case STAND_IN_EVENT:
      return &objects[which].event.wait;
    case STAND_IN_PORT:
      return &port_queues[which];
    case STAND_IN_QUEUE:
      return &queues[which];
    default:
      return &semaphores[which].wait;
  }
}

void stand_in_wake_one(stand_in_kind kind, unsigned which, stand_in_thread* to) {
  if (kind == STAND_IN_MUTEX && to != NULL)
    mutex_release(&objects[which].mutex);
  else if (kind == STAND_IN_EVENT)
    event_signal(&objects[which].event, to != NULL);
  else if (kind == STAND_IN_SEMAPHORE || kind == STAND_IN_SEMAPHORE_TIMED)
    sem_post(&semaphores[which], to != NULL);
  else {
    THREAD_LOCK(state);
    wait_queue_wake_one(queue_of(kind, which), to != NULL, NO_ERROR);
    THREAD_UNLOCK(state);
  }
}

void stand_in_wake_all(stand_in_kind kind, unsigned which) {
  THREAD_LOCK(state);
  wait_queue_wake_all(queue_of(kind, which), false, NO_ERROR);
  THREAD_UNLOCK(state);
}
