/* A kernel that only calls ThreadX's hooks, in the places and orders of the real one, on the
 * test's commands. */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TX_THREAD_STRUCT stand_in_thread;

/* States are tx_thread_state's. Control blocks are taken from a few and cleared, as
 * tx_thread_create does. Null: none is free. */
stand_in_thread* stand_in_create(const char* name, uint32_t priority);
void stand_in_delete(stand_in_thread* thread); /* of one that is over: its block is free */
/* Does tx_thread_reset and tx_thread_resume: from the start, in the same block, uncleared. */
void stand_in_restart(stand_in_thread* thread);
void stand_in_resume(stand_in_thread* thread);
/* The state in which it will be switched out. `object` is what it waits for. */
void stand_in_suspend(stand_in_thread* thread, uint32_t state, void* object);
void stand_in_terminate(stand_in_thread* thread);
uint32_t stand_in_state(const stand_in_thread* thread);
void stand_in_set_priority(stand_in_thread* thread, uint32_t priority);
void stand_in_wait_failed(stand_in_thread* thread);

/* Exit of the running thread, enter of `to`; null: idle, until the next. */
void stand_in_switch(stand_in_thread* to);
/* A switch on ports that do not call exit for a thread that is preempted. */
void stand_in_preempt_without_exit(stand_in_thread* to);
/* The same, with nothing to execute. */
void stand_in_leave_without_exit(void);
stand_in_thread* stand_in_running(void);

void stand_in_interrupt_enter(unsigned number);
void stand_in_interrupt_exit(unsigned number);
/* In a handler that does not report itself; 0: in a thread. */
void stand_in_interrupted_by(unsigned number);

/* Objects with a name, for threads to wait for. */
void* stand_in_queue(unsigned place, const char* name);
void* stand_in_mutex(unsigned place, const char* name);

/* It has taken the mutex; null: none has. */
void stand_in_hold(void* mutex, stand_in_thread* thread);

/* Calls: each announces its begin if the event log is on. */
void stand_in_queue_create(void* queue);
void stand_in_queue_delete(void* queue);
void stand_in_queue_send(void* queue);
void stand_in_queue_receive(void* queue);
void stand_in_mutex_get(void* mutex);
void stand_in_mutex_put(void* mutex);
/* Creates, activates, deactivates and deletes a timer. */
void stand_in_use_timer(const char* name);
/* From a pool called "bytes". */
void stand_in_allocate(unsigned bytes);

/* The stack pointer that is saved when it is switched out, and the lowest that the kernel found. */
void stand_in_leave_stack(stand_in_thread* thread, uint32_t left, uint32_t least);

/* Forgets all threads. */
void stand_in_reset(void);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
