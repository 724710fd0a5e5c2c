/* A kernel that only calls NuttX's notes, in the places and orders of the real one, on the
 * test's commands. */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tcb_s stand_in_thread;

/* The hooks' driver is registered; refused, the first time, where `room` is 0. */
int stand_in_register(int room);

/* Makes a thread and does not start it. Null: no control block is free. Priority 0: an idle thread,
 * of the CPU `pid`. */
stand_in_thread* stand_in_create(const char* name, uint8_t priority, int pid);
void stand_in_start(stand_in_thread* thread);
void stand_in_set_name(stand_in_thread* thread, const char* name);
void stand_in_set_priority(stand_in_thread* thread, uint8_t priority);
bool stand_in_is_ready(const stand_in_thread* thread);

typedef enum stand_in_leaves {
  STAND_IN_READY,
  STAND_IN_SLEEPS,
  STAND_IN_SEMAPHORE,
  STAND_IN_MUTEX,
  STAND_IN_EVENT,
  STAND_IN_QUEUE_EMPTY,
  STAND_IN_QUEUE_FULL,
  STAND_IN_STOPPED
} stand_in_leaves;
/* The running thread leaves in that way, and `to` runs; with an object, one of two. */
void stand_in_switch(stand_in_leaves how, unsigned object, stand_in_thread* to);
/* The running thread has been chosen without a note, as at boot, or after an end. */
void stand_in_boot(stand_in_thread* thread);
stand_in_thread* stand_in_running(void);
/* It has taken one of the mutexes, and others are about to wait for it; null: none has. */
void stand_in_hold(unsigned mutex, stand_in_thread* thread);
/* Into the ready queue, having waited: `failed` after a timeout. */
void stand_in_wake(stand_in_thread* thread, bool failed);
/* Moved in that queue, as its priority changes. */
void stand_in_requeue(stand_in_thread* thread);
/* The running thread ends, and `to` runs; the note that it stops comes behind the switch, or, in
 * older versions, ahead of it. */
void stand_in_end(stand_in_thread* to, bool is_reported_first);
/* Another thread ends it. */
void stand_in_terminate(stand_in_thread* thread);

void stand_in_interrupt_enter(int irq);
void stand_in_interrupt_exit(int irq);
void stand_in_timer(void* callback);
void stand_in_allocate(uint32_t bytes);

/* Nothing runs on this CPU any more. */
void stand_in_idle(void);
/* Threads end, so that the next test finds none. */
void stand_in_reset(void);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
