/* A kernel that only expands FreeRTOS's trace macros, in the places and orders of the real one,
 * on the test's commands. */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tskTaskControlBlock stand_in_task;

/* A task's place, the only sign of the reason for its switch away. */
typedef enum stand_in_place {
  STAND_IN_READY,
  STAND_IN_DELAYED,
  STAND_IN_DELAYED_BEYOND_OVERFLOW,
  STAND_IN_SUSPENDED,
  STAND_IN_WAITING_FOR_EVER,  /* on the list of the suspended, and on a queue's */
  STAND_IN_NOTIFIED_FOR_EVER, /* on the list of the suspended, for a notification */
  STAND_IN_TERMINATED
} stand_in_place;

/* Control blocks are taken from a few, so that addresses come again. Null: none is free. */
stand_in_task* stand_in_create(const char* name, uint32_t priority);
/* If it deletes the running task, that is switched out later, and its block is free after that. */
void stand_in_delete(stand_in_task* task);
void stand_in_move(stand_in_task* task, stand_in_place place);
stand_in_place stand_in_place_of(const stand_in_task* task);
void stand_in_make_ready(stand_in_task* task);
/* As xTaskRemoveFromEventList, xTaskResumeFromISR and xTaskNotifyFromISR: the task is ready, or
 * will be once the scheduler is resumed. */
void stand_in_remove_from_event_list(stand_in_task* task);
void stand_in_resume_from_interrupt(stand_in_task* task);
void stand_in_notify_from_interrupt(stand_in_task* task);
void stand_in_suspend_scheduler(void);
void stand_in_resume_scheduler(void);
void stand_in_set_priority(stand_in_task* task, uint32_t priority);
/* The holder of a mutex runs with the priority of the task that waits for it, then no longer. */
void stand_in_inherit(stand_in_task* holder, uint32_t priority);
void stand_in_disinherit(stand_in_task* holder, uint32_t priority);

/* The task calls so deep that so many bytes of its 256 are left, and its registers are saved with
 * so many left. */
void stand_in_use_stack(stand_in_task* task, uint32_t left, uint32_t saved);
/* Its lowest address. The stack of the task that was created next lies behind it. */
void* stand_in_stack(const stand_in_task* task);

/* Does what vTaskStartScheduler does: a switch-in alone. */
void stand_in_start_scheduler(stand_in_task* first);
/* Does what vTaskSwitchContext does on this CPU. */
void stand_in_switch(stand_in_task* to);
/* A call of xTaskDelayUntil by the running task. It delays only if `later` is not over. The
 * caller switches to another task then. */
bool stand_in_delay_until(uint32_t period, bool later);
/* The running task, that of the timers, waits until the next of them expires. */
void stand_in_wait_for_timers(uint32_t ticks);
/* A switch on ports that do not report the switch away. */
void stand_in_switch_without_out(stand_in_task* to);
stand_in_task* stand_in_running(void);

void stand_in_tick(void);
/* Another interrupt, which says that it enters. */
void stand_in_device(void);
/* A tick that came while the scheduler was suspended, and is counted by the task that resumes it.
 */
void stand_in_late_tick(void);
/* portYIELD_FROM_ISR at the end of a user's handler, which has no traceISR_ENTER. */
void stand_in_handler_without_enter(unsigned number);
/* In such a handler; 0: in a task. */
void stand_in_interrupted_by(unsigned number);

typedef struct stand_in_object stand_in_object;
/* `kind` as in queue.h. */
stand_in_object* stand_in_queue_create(uint8_t kind);
void stand_in_queue_delete(stand_in_object* queue);
void stand_in_queue_name(stand_in_object* queue, const char* name);
uint32_t stand_in_object_number(const stand_in_object* object);
void stand_in_queue_blocks(stand_in_object* queue); /* in a receive */
void stand_in_queue_received(stand_in_object* queue);
void stand_in_queue_timed_out(stand_in_object* queue);
void stand_in_queue_sent(stand_in_object* queue);
void stand_in_queue_sent_from_interrupt(stand_in_object* queue);

stand_in_object* stand_in_timer_create(const char* name);
void stand_in_timer_reloads(stand_in_object* timer, uint32_t period);
void stand_in_timer_expired(stand_in_object* timer);
void stand_in_timer_deleted(stand_in_object* timer);
stand_in_object* stand_in_event_group_create(void);
void stand_in_event_group_wait(stand_in_object* group, bool timed_out);
stand_in_object* stand_in_stream_create(void);
/* Blocks, which it does by a notification, and receives. */
void stand_in_stream_receive(stand_in_object* stream);
void stand_in_notify(stand_in_task* task);
void stand_in_notification_wait(void);

void stand_in_malloc(size_t bytes);
void stand_in_malloc_failed(size_t bytes);
void stand_in_free(size_t bytes);

/* Forgets all tasks and objects. */
void stand_in_reset(void);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
