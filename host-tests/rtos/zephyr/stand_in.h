/* A kernel that only calls the user's functions of Zephyr's tracing, in the places and orders of
 * the real one, on the test's commands. */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct k_thread stand_in_thread;

/* Ready. Control blocks are taken from a few, in turn. Null: none is free. Priority 15: an idle
 * thread, which is not put into a queue. */
stand_in_thread* stand_in_create(const char* name, int priority);
/* Creates a thread in the block of another, with or without a hook's call for that one's end. */
stand_in_thread* stand_in_create_at(stand_in_thread* thread, const char* name, int priority);
void stand_in_set_name(stand_in_thread* thread, const char* name);
void stand_in_set_priority(stand_in_thread* thread, int priority);
bool stand_in_is_ready(const stand_in_thread* thread);

typedef enum stand_in_leaves {
  STAND_IN_READY,
  STAND_IN_SLEEPS,
  STAND_IN_SUSPENDED,
  STAND_IN_SEMAPHORE,
  STAND_IN_MUTEX,
  STAND_IN_QUEUE_EMPTY,
  STAND_IN_QUEUE_FULL,
  STAND_IN_EVENT,
  STAND_IN_CONDITION,
  STAND_IN_QUEUE_FULL_IN_FRONT,
  STAND_IN_SLAB,
  STAND_IN_MAILBOX_EMPTY,
  STAND_IN_MAILBOX_FULL,
  STAND_IN_JOIN
} stand_in_leaves;
/* The running thread leaves in that way, for one of two objects, and `to` runs: out and in. */
void stand_in_switch(stand_in_leaves how, unsigned object, stand_in_thread* to);
/* It has taken the mutex; null: none has. */
void stand_in_hold(unsigned object, stand_in_thread* thread);
/* Calls that do not have to wait. */
void stand_in_lock(unsigned object);
void stand_in_take(unsigned object);
/* Some ports make only one of the calls, out or in. */
void stand_in_switch_out(void);
void stand_in_switch_in(stand_in_thread* to);
/* Without a word, as at boot; null: a dummy. */
void stand_in_boot(stand_in_thread* thread);
stand_in_thread* stand_in_running(void);
void stand_in_ready(stand_in_thread* thread);
/* A thread that waited runs again, and returns from its call. */
void stand_in_return(stand_in_leaves how, unsigned object, bool failed);
/* The running thread ends, and `to` runs; or another is aborted that does not run. */
void stand_in_end(stand_in_thread* to);
void stand_in_abort(stand_in_thread* thread);

void stand_in_interrupt_enter(unsigned number);
void stand_in_interrupt_exit(unsigned number);
/* In a handler that does not report itself; 0: in a thread. */
void stand_in_interrupted_by(unsigned number);

/* A user's thread runs, which has no access to the kernel's memory. */
void stand_in_run_as_user(bool is_user);
/* Runs, once, while a call waits for memory. */
extern void (*stand_in_while_waiting)(void);
/* The heap of k_malloc, empty. */
void stand_in_make_system_heap(void);

/* Nothing runs on this CPU any more; and threads end, so that the next test finds none. */
void stand_in_idle(void);
/* For a thread that has none. */
void stand_in_take_stack(stand_in_thread* thread);
/* What an idle thread does. */
void stand_in_wait(void);
void stand_in_reset(void);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
