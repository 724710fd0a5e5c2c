/* A kernel that only calls the functions that lead to LK's hooks, in the places and orders of
 * the real one, on the test's commands. */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thread stand_in_thread;

/* Suspended. Control blocks are taken from a few. Null: none is free. */
stand_in_thread* stand_in_create(const char* name, int priority);
void stand_in_resume(stand_in_thread* thread);
void stand_in_resume_detached(stand_in_thread* thread);
void stand_in_set_priority(stand_in_thread* thread, int priority);
/* These act on the running thread. */
void stand_in_set_name(const char* name);
bool stand_in_is_ready(const stand_in_thread* thread);

/* Without a switch: `thread` is what runs on this CPU, as at boot. */
void stand_in_boot(stand_in_thread* thread);
/* It becomes this CPU's idle thread. */
void stand_in_become_idle(void);
stand_in_thread* stand_in_running(void);

/* The running thread is preempted, or ends, and `to` runs. */
void stand_in_switch(stand_in_thread* to);
void stand_in_end(stand_in_thread* to);
/* It sleeps; and a sleeper's time is over. */
void stand_in_sleep(stand_in_thread* to);
void stand_in_sleep_is_over(stand_in_thread* thread);
/* A timer of the application's fires. */
void stand_in_timer(void* argument);

/* It waits, and `to` runs; `meanwhile` is what happens until it runs again, and ends with that.
 * There are two objects of each kind; the first mutex and the first event lie at one address. */
typedef enum stand_in_kind {
  STAND_IN_MUTEX,
  STAND_IN_SEMAPHORE,
  STAND_IN_SEMAPHORE_TIMED,
  STAND_IN_EVENT,
  STAND_IN_PORT,
  STAND_IN_QUEUE /* of waiters, by itself */
} stand_in_kind;
void stand_in_wait(stand_in_kind kind, unsigned which, stand_in_thread* to,
                   void (*meanwhile)(void));
/* It has taken the mutex, without a wait. */
void stand_in_hold(unsigned mutex, stand_in_thread* thread);
/* It is free: takes it and gives it back. */
void stand_in_take_and_give(unsigned mutex);
void stand_in_join(stand_in_thread* thread, stand_in_thread* to, void (*meanwhile)(void));
/* Wakes one thread that waits there, or all; `to` runs at once, if it is not null. */
void stand_in_wake_one(stand_in_kind kind, unsigned which, stand_in_thread* to);
void stand_in_wake_all(stand_in_kind kind, unsigned which);
/* The time of a wait is over. */
void stand_in_time_out(stand_in_thread* thread);

void stand_in_interrupt_enter(unsigned number);
void stand_in_interrupt_exit(unsigned number);

/* The heap. */
typedef enum stand_in_allocation {
  STAND_IN_MALLOC,
  STAND_IN_CALLOC,
  STAND_IN_MEMALIGN,
  STAND_IN_REALLOC
} stand_in_allocation;
void* stand_in_allocate(stand_in_allocation how, size_t bytes);
void* stand_in_reallocate(void* block, size_t bytes);
void stand_in_free(void* block);
void stand_in_free_later(void* block);

/* Locks taken twice, or given back untaken, and events that reached the log's own store. */
unsigned stand_in_faults(void);
/* Threads end, so that the next test finds none. */
void stand_in_reset(void);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
