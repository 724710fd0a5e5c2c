/* FreeRTOS, traced: its trace macros, to be included at the end of FreeRTOSConfig.h. README.md here
 * lists the steps, and shows the result.
 *
 * The macros expand inside the kernel's own files and look at its structures there; nothing else of
 * the kernel is known here. Functions (barefxt_freertos.c) do the expensive work, behind a look at
 * the category.
 *
 * The kernel keeps the tracer's numbers: uxTaskNumber is a task's place in a table. The numbers of
 * queues, timers, event groups and stream buffers are koids, so that they differ across kinds.
 */
#ifndef BAREFXT_FREERTOS_H
#define BAREFXT_FREERTOS_H

/* Some of FreeRTOS's ports read FreeRTOSConfig.h in assembler, too. */
#ifndef __ASSEMBLER__

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/category.h>
#include <barefxt/kernel_hooks.h>
#include <barefxt/lock.h>
#include <barefxt/sample.h>
#include <barefxt/stack.h>
#include <barefxt/types.h>

#if !defined(configUSE_TRACE_FACILITY) || !configUSE_TRACE_FACILITY
#error \
    "barefxt: FreeRTOSConfig.h must set configUSE_TRACE_FACILITY to 1 before it includes barefxt_freertos.h"
#endif

/* The numbers of the categories that this takes: what tasks do with objects, and the heap. */
#ifndef BAREFXT_FREERTOS_CATEGORY
#define BAREFXT_FREERTOS_CATEGORY 28
#endif
#ifndef BAREFXT_FREERTOS_HEAP_CATEGORY
#define BAREFXT_FREERTOS_HEAP_CATEGORY 27
#endif
/* 1: the count of ticks as a counter. Floods the trace. */
#ifndef BAREFXT_FREERTOS_TICKS
#define BAREFXT_FREERTOS_TICKS 0
#endif

/* 1: barefxt_freertos_sample, for a timer's interrupt. N, from 2 on: a sample at every N-th tick,
 * too. */
#ifndef BAREFXT_FREERTOS_SAMPLES
#define BAREFXT_FREERTOS_SAMPLES 0
#endif

/* 1: marks of the tasks' stacks, at switches, and by barefxt_freertos_scan_stacks. */
#ifndef BAREFXT_FREERTOS_STACKS
#define BAREFXT_FREERTOS_STACKS 0
#endif
#if (BAREFXT_FREERTOS_STACKS || BAREFXT_FREERTOS_SAMPLES) && \
    (!defined(configRECORD_STACK_HIGH_ADDRESS) || !configRECORD_STACK_HIGH_ADDRESS)
#error \
    "barefxt: BAREFXT_FREERTOS_STACKS and BAREFXT_FREERTOS_SAMPLES need configRECORD_STACK_HIGH_ADDRESS 1"
#endif

/* The amount of tracing, each level with those before it: switches (and wakeups, names,
 * interrupts), waits (and holders of mutexes, and jobs), all. README.md has the cost of each. */
#ifndef BAREFXT_FREERTOS_LEVEL
#define BAREFXT_FREERTOS_LEVEL all
#endif
#define BAREFXT_FREERTOS_LEVEL_switches 1
#define BAREFXT_FREERTOS_LEVEL_waits 2
#define BAREFXT_FREERTOS_LEVEL_all 3
#define BAREFXT_FREERTOS_LEVEL_NUMBER_OF_(level) BAREFXT_FREERTOS_LEVEL_##level
#define BAREFXT_FREERTOS_LEVEL_NUMBER_(level) BAREFXT_FREERTOS_LEVEL_NUMBER_OF_(level)
#define BAREFXT_FREERTOS_WAITS_LEVEL_ \
  (BAREFXT_FREERTOS_LEVEL_NUMBER_(BAREFXT_FREERTOS_LEVEL) >= BAREFXT_FREERTOS_LEVEL_waits)
#define BAREFXT_FREERTOS_ALL_LEVEL_ \
  (BAREFXT_FREERTOS_LEVEL_NUMBER_(BAREFXT_FREERTOS_LEVEL) >= BAREFXT_FREERTOS_LEVEL_all)
#if BAREFXT_FREERTOS_LEVEL_NUMBER_(BAREFXT_FREERTOS_LEVEL) == 0
#error "barefxt: BAREFXT_FREERTOS_LEVEL is switches, waits or all"
#endif

BAREFXT_CATEGORY(freertos, BAREFXT_FREERTOS_CATEGORY);
BAREFXT_CATEGORY(freertos_heap, BAREFXT_FREERTOS_HEAP_CATEGORY);

/* The number of the interrupt that runs, for traceISR_ENTER and its kin. If it is always 0, an exit
 * belongs to the last interrupt that was entered. */
#ifndef BAREFXT_FREERTOS_INTERRUPT
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
static inline uint32_t barefxt_freertos_ipsr(void) {
  uint32_t number;
  __asm__ volatile("mrs %0, ipsr" : "=r"(number));
  return number;
}
#define BAREFXT_FREERTOS_INTERRUPT() barefxt_freertos_ipsr()
#define BAREFXT_FREERTOS_TICK_INTERRUPT 15
#else
#define BAREFXT_FREERTOS_INTERRUPT() 0
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Only the macros below call these. Context: where the kernel expands them, in tasks with
 * interrupts on or masked, and in interrupts that may call the kernel. */

/* ---- Tasks. Those of creation, deletion and switches are called with the kernel's own lock. ----
 */

/* Returns the value for uxTaskNumber: 0 if there is no place for the task. `block` is its address.
 */
uint32_t barefxt_freertos_task_created(const char* name, uint32_t priority, const char* idle_name,
                                       const void* block);
/* `leaves_later`: it runs yet, and is switched out for good later. */
void barefxt_freertos_task_deleted(uint32_t task, const char* name, bool leaves_later);
void barefxt_freertos_switched_out(uint32_t task, barefxt_thread_state state);
void barefxt_freertos_switched_in(uint32_t task, uint32_t priority);
/* `name` is for the job that the task is woken for, if it delayed until then. */
void barefxt_freertos_task_ready(uint32_t task, const char* name);
void barefxt_freertos_task_suspended(uint32_t task);
/* A new task's stack, which the kernel has filled: the addresses of its first and last word. */
void barefxt_freertos_stack_created(uint32_t task, const void* first, const void* last);
void barefxt_freertos_stack_reached(uint32_t task, const volatile void* top);

/* Scans a few words of the tasks' stacks: for vApplicationIdleHook, with interrupts masked
 * meanwhile. */
void barefxt_freertos_scan_stacks(void);

/* With BAREFXT_FREERTOS_SAMPLES: records what a timer's interrupt came to, and its callers if that
 * is the running task. `at` is what the port's barefxt_interrupted.h returns. Context: interrupt.
 */
void barefxt_freertos_sample(barefxt_interrupted at);

typedef enum barefxt_freertos_change {
  BAREFXT_FREERTOS_PRIORITY_SET,
  BAREFXT_FREERTOS_PRIORITY_INHERITED,
  BAREFXT_FREERTOS_PRIORITY_DISINHERITED
} barefxt_freertos_change;
void barefxt_freertos_priority(uint32_t task, uint32_t priority, barefxt_freertos_change change);

/* ---- Jobs: what a task does between two calls of vTaskDelayUntil, from the tick that makes it
 * ready; and what a timer does that reloads itself. `period` is in ticks of the kernel. ---- */

void barefxt_freertos_delays_until(uint32_t task, const char* name, uint32_t period);
/* The next job is due already: the task did not delay. */
void barefxt_freertos_overran(uint32_t task, const char* name, uint32_t period);
void barefxt_freertos_timer_runs(const char* name, uint32_t period);

/* Tasks that are deleted and run yet: while there are any, switches are examined, even if nothing
 * is recorded. */
extern uint32_t barefxt_freertos_leaving;

/* ---- Interrupts and ticks. ---- */

void barefxt_freertos_sample_enter(uint32_t number);
void barefxt_freertos_interrupt_enter(uint32_t number);
void barefxt_freertos_interrupt_exit(uint32_t number);
void barefxt_freertos_tick(uint32_t ticks);

/* ---- Objects, identified by koid. ---- */

typedef enum barefxt_freertos_kind {
  /* The values that queue.h has for ucQueueType. */
  BAREFXT_FREERTOS_QUEUE = 0,
  BAREFXT_FREERTOS_MUTEX = 1,
  BAREFXT_FREERTOS_COUNTING_SEMAPHORE = 2,
  BAREFXT_FREERTOS_BINARY_SEMAPHORE = 3,
  BAREFXT_FREERTOS_RECURSIVE_MUTEX = 4,
  BAREFXT_FREERTOS_QUEUE_SET = 5,
  BAREFXT_FREERTOS_TIMER = 16,
  BAREFXT_FREERTOS_EVENT_GROUP = 17,
  BAREFXT_FREERTOS_STREAM_BUFFER = 18,
  BAREFXT_FREERTOS_NOTIFICATION = 19
} barefxt_freertos_kind;

typedef enum barefxt_freertos_deed {
  BAREFXT_FREERTOS_DELETE,
  BAREFXT_FREERTOS_SEND,    /* give, set bits, notify */
  BAREFXT_FREERTOS_RECEIVE, /* take, wait for bits or a notification */
  BAREFXT_FREERTOS_PEEK,
  BAREFXT_FREERTOS_EXPIRE
} barefxt_freertos_deed;

/* The koid of a new object at this address. `name` may be null. */
uint32_t barefxt_freertos_object_created(uint32_t kind, const char* name, const void* address);
void barefxt_freertos_object_named(uint32_t kind, uint32_t object, const char* name);
void barefxt_freertos_object_deleted(uint32_t kind, uint32_t object);

/* The running task is about to block, on a mutex that `holder` has, or null; then it has got on, or
 * given up; or it got on at once. */
void barefxt_freertos_blocks(uint32_t kind, barefxt_freertos_deed deed, uint32_t object,
                             const void* holder);
void barefxt_freertos_done(uint32_t kind, barefxt_freertos_deed deed, uint32_t object, bool failed);
/* A deed that never blocks, or from an interrupt. */
void barefxt_freertos_at_once(uint32_t kind, barefxt_freertos_deed deed, uint32_t object,
                              bool failed);
/* Queues, semaphores and mutexes, if the call succeeded; `has_waited`: it may have blocked before.
 * `holder` is the task that has a mutex that is given; null: its first give, when it is created. */
void barefxt_freertos_received(uint32_t kind, uint32_t object, bool has_waited);
void barefxt_freertos_sent(uint32_t kind, uint32_t object, bool has_waited, const void* holder);
void barefxt_freertos_notified(uint32_t task);
void barefxt_freertos_allocated(const void* block, size_t bytes, const void* caller);
void barefxt_freertos_freed(const void* block, size_t bytes, const void* caller);

static inline bool barefxt_freertos_waits(const volatile uint8_t* notify_states, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (notify_states[i] == 1 /* taskWAITING_NOTIFICATION */) return true;
  return false;
}

#ifdef __cplusplus
}  // extern "C"
#endif

/* ---- In tasks.c ---- */

/* The list that a task is on shows its state; a task that blocks without a time to wake up at is on
 * the list of suspended ones. eTaskGetState() would return "running" for any task that is about to
 * leave. */
#if defined(INCLUDE_vTaskDelete) && INCLUDE_vTaskDelete
#define BAREFXT_FREERTOS_IS_TERMINATED_(list) ((list) == (const void*)&xTasksWaitingTermination)
#else
#define BAREFXT_FREERTOS_IS_TERMINATED_(list) 0
#endif
#if defined(INCLUDE_vTaskSuspend) && INCLUDE_vTaskSuspend
#define BAREFXT_FREERTOS_IS_SUSPENDED_(list) ((list) == (const void*)&xSuspendedTaskList)
#else
#define BAREFXT_FREERTOS_IS_SUSPENDED_(list) 0
#endif
#if !defined(configUSE_TASK_NOTIFICATIONS) || configUSE_TASK_NOTIFICATIONS
#define BAREFXT_FREERTOS_WAITS_(tcb) \
  barefxt_freertos_waits((tcb)->ucNotifyState, configTASK_NOTIFICATION_ARRAY_ENTRIES)
#else
#define BAREFXT_FREERTOS_WAITS_(tcb) 0
#endif

#define BAREFXT_FREERTOS_STATE_(tcb, list)                                                      \
  ((list) == (const void*)pxDelayedTaskList || (list) == (const void*)pxOverflowDelayedTaskList \
       ? BAREFXT_STATE_BLOCKED                                                                  \
   : BAREFXT_FREERTOS_IS_TERMINATED_(list) ? BAREFXT_STATE_DYING                                \
   : !BAREFXT_FREERTOS_IS_SUSPENDED_(list) ? BAREFXT_STATE_RUNNABLE                             \
   : listLIST_ITEM_CONTAINER(&(tcb)->xEventListItem) != NULL || BAREFXT_FREERTOS_WAITS_(tcb)    \
       ? BAREFXT_STATE_BLOCKED                                                                  \
       : BAREFXT_STATE_SUSPENDED)

#define BAREFXT_FREERTOS_SWITCHES_ (BAREFXT_ENABLED(sched) || barefxt_freertos_leaving != 0)

#if BAREFXT_FREERTOS_STACKS || BAREFXT_FREERTOS_SAMPLES
#define BAREFXT_FREERTOS_STACK_CREATED_(tcb) \
  barefxt_freertos_stack_created((uint32_t)(tcb)->uxTaskNumber, (tcb)->pxStack, (tcb)->pxEndOfStack)
#else
#define BAREFXT_FREERTOS_STACK_CREATED_(tcb) (void)0
#endif
#if BAREFXT_FREERTOS_STACKS
/* The kernel has saved its registers. */
#define BAREFXT_FREERTOS_STACK_REACHED_(tcb) \
  if (BAREFXT_ENABLED(stacks))               \
  barefxt_freertos_stack_reached((uint32_t)(tcb)->uxTaskNumber, (tcb)->pxTopOfStack)
#else
#define BAREFXT_FREERTOS_STACK_REACHED_(tcb) (void)0
#endif

#define traceTASK_CREATE(pxNewTCB)                                                              \
  do {                                                                                          \
    (pxNewTCB)->uxTaskNumber =                                                                  \
        barefxt_freertos_task_created((pxNewTCB)->pcTaskName, (uint32_t)(pxNewTCB)->uxPriority, \
                                      configIDLE_TASK_NAME, (pxNewTCB));                        \
    BAREFXT_FREERTOS_STACK_CREATED_(pxNewTCB);                                                  \
  } while (0)
#define traceTASK_DELETE(pxTaskToDelete)                                      \
  barefxt_freertos_task_deleted(                                              \
      (uint32_t)(pxTaskToDelete)->uxTaskNumber, (pxTaskToDelete)->pcTaskName, \
      listLIST_ITEM_CONTAINER(&(pxTaskToDelete)->xStateListItem) != NULL)

#define traceTASK_SWITCHED_OUT()                                                              \
  do {                                                                                        \
    BAREFXT_FREERTOS_STACK_REACHED_(pxCurrentTCB);                                            \
    if (BAREFXT_FREERTOS_SWITCHES_) {                                                         \
      const TCB_t* const barefxt_tcb = pxCurrentTCB;                                          \
      const void* const barefxt_list = listLIST_ITEM_CONTAINER(&barefxt_tcb->xStateListItem); \
      barefxt_freertos_switched_out((uint32_t)barefxt_tcb->uxTaskNumber,                      \
                                    BAREFXT_FREERTOS_STATE_(barefxt_tcb, barefxt_list));      \
    }                                                                                         \
  } while (0)
#define traceTASK_SWITCHED_IN()                                         \
  do {                                                                  \
    barefxt_clear_exclusive();                                          \
    if (BAREFXT_FREERTOS_SWITCHES_) {                                   \
      const TCB_t* const barefxt_tcb = pxCurrentTCB;                    \
      barefxt_freertos_switched_in((uint32_t)barefxt_tcb->uxTaskNumber, \
                                   (uint32_t)barefxt_tcb->uxPriority);  \
    } else {                                                            \
      barefxt_switch_unrecorded();                                      \
    }                                                                   \
  } while (0)

#define traceMOVED_TASK_TO_READY_STATE(pxTCB)                                            \
  do {                                                                                   \
    if (BAREFXT_ENABLED(sched))                                                          \
      barefxt_freertos_task_ready((uint32_t)(pxTCB)->uxTaskNumber, (pxTCB)->pcTaskName); \
  } while (0)
/* While the scheduler is suspended, the kernel keeps tasks that are woken on a list of its own, and
 * moves them to the ready ones when it resumes. They wait for the CPU from here on. The first macro
 * is the kernel's from 11 on. */
#define BAREFXT_FREERTOS_IS_PENDING_(pxTCB)                               \
  do {                                                                    \
    if (uxSchedulerSuspended != 0) traceMOVED_TASK_TO_READY_STATE(pxTCB); \
  } while (0)
#define traceENTER_xTaskRemoveFromEventList(pxEventList) \
  BAREFXT_FREERTOS_IS_PENDING_((const TCB_t*)listGET_OWNER_OF_HEAD_ENTRY(pxEventList))
#define traceTASK_RESUME_FROM_ISR(pxTaskToResume) BAREFXT_FREERTOS_IS_PENDING_(pxTaskToResume)
#define traceTASK_SUSPEND(pxTaskToSuspend) \
  barefxt_freertos_task_suspended((uint32_t)(pxTaskToSuspend)->uxTaskNumber)

#if BAREFXT_FREERTOS_ALL_LEVEL_
#define traceTASK_PRIORITY_SET(pxTask, uxNewPriority)                                    \
  barefxt_freertos_priority((uint32_t)(pxTask)->uxTaskNumber, (uint32_t)(uxNewPriority), \
                            BAREFXT_FREERTOS_PRIORITY_SET)
#define traceTASK_PRIORITY_INHERIT(pxTCBOfMutexHolder, uxInheritedPriority) \
  barefxt_freertos_priority((uint32_t)(pxTCBOfMutexHolder)->uxTaskNumber,   \
                            (uint32_t)(uxInheritedPriority), BAREFXT_FREERTOS_PRIORITY_INHERITED)
#define traceTASK_PRIORITY_DISINHERIT(pxTCBOfMutexHolder, uxOriginalPriority) \
  barefxt_freertos_priority((uint32_t)(pxTCBOfMutexHolder)->uxTaskNumber,     \
                            (uint32_t)(uxOriginalPriority),                   \
                            BAREFXT_FREERTOS_PRIORITY_DISINHERITED)
#endif

#if BAREFXT_FREERTOS_WAITS_LEVEL_
/* The kernel reports two waits so. That of xTaskDelayUntil gives a name, and there is the parameter
 * xTimeIncrement. That of the timers' task gives an expression in parentheses: it is no job, and
 * nothing has that name there. */
#define BAREFXT_FREERTOS_SECOND_(first, second, ...) second
#define BAREFXT_FREERTOS_PICK_(...) BAREFXT_FREERTOS_SECOND_(__VA_ARGS__)
#define BAREFXT_FREERTOS_PARENTHESES_(...) , BAREFXT_FREERTOS_TIMERS_WAIT_
#define BAREFXT_FREERTOS_TIMERS_WAIT_() (void)0
#define BAREFXT_FREERTOS_DELAYS_UNTIL_()                                                        \
  barefxt_freertos_delays_until((uint32_t)pxCurrentTCB->uxTaskNumber, pxCurrentTCB->pcTaskName, \
                                (uint32_t)(xTimeIncrement))
#define traceTASK_DELAY_UNTIL(xTimeToWake)                          \
  BAREFXT_FREERTOS_PICK_(BAREFXT_FREERTOS_PARENTHESES_ xTimeToWake, \
                         BAREFXT_FREERTOS_DELAYS_UNTIL_, unused)()
/* The kernel's from 11 on. */
#define traceRETURN_xTaskDelayUntil(xShouldDelay)                                              \
  do {                                                                                         \
    if ((xShouldDelay) == pdFALSE)                                                             \
      barefxt_freertos_overran((uint32_t)pxCurrentTCB->uxTaskNumber, pxCurrentTCB->pcTaskName, \
                               (uint32_t)(xTimeIncrement));                                    \
  } while (0)
#endif

#define traceTASK_INCREMENT_TICK(xTickCount) barefxt_freertos_tick((uint32_t)(xTickCount))

#define BAREFXT_FREERTOS_IF_(call)       \
  do {                                   \
    if (BAREFXT_ENABLED(freertos)) call; \
  } while (0)

#if BAREFXT_FREERTOS_WAITS_LEVEL_
/* A notification has no object of its own: 0. */
#define traceTASK_NOTIFY_TAKE_BLOCK(uxIndexToWait) \
  BAREFXT_FREERTOS_IF_(                            \
      barefxt_freertos_blocks(BAREFXT_FREERTOS_NOTIFICATION, BAREFXT_FREERTOS_RECEIVE, 0, NULL))
#define traceTASK_NOTIFY_WAIT_BLOCK(uxIndexToWait) traceTASK_NOTIFY_TAKE_BLOCK(uxIndexToWait)
#define traceTASK_NOTIFY_TAKE(uxIndexToWait) \
  BAREFXT_FREERTOS_IF_(                      \
      barefxt_freertos_done(BAREFXT_FREERTOS_NOTIFICATION, BAREFXT_FREERTOS_RECEIVE, 0, false))
#define traceTASK_NOTIFY_WAIT(uxIndexToWait) traceTASK_NOTIFY_TAKE(uxIndexToWait)
#endif
#if BAREFXT_FREERTOS_ALL_LEVEL_
#define traceTASK_NOTIFY(uxIndexToNotify) \
  BAREFXT_FREERTOS_IF_(barefxt_freertos_notified((uint32_t)pxTCB->uxTaskNumber))
#else
#define traceTASK_NOTIFY(uxIndexToNotify)
#endif
#define traceTASK_NOTIFY_FROM_ISR(uxIndexToNotify)                 \
  do {                                                             \
    traceTASK_NOTIFY(uxIndexToNotify);                             \
    if (ucOriginalNotifyState == 1 /* taskWAITING_NOTIFICATION */) \
      BAREFXT_FREERTOS_IS_PENDING_(pxTCB);                         \
  } while (0)
#define traceTASK_NOTIFY_GIVE_FROM_ISR(uxIndexToNotify) traceTASK_NOTIFY_FROM_ISR(uxIndexToNotify)

/* ---- In ports, and in the user's interrupt handlers ---- */

/* Ahead of the tick's entry: otherwise the samples belong to the tick. */
#if BAREFXT_FREERTOS_SAMPLES > 1
#define BAREFXT_FREERTOS_SAMPLE_() barefxt_freertos_sample_enter(BAREFXT_FREERTOS_INTERRUPT())
#else
#define BAREFXT_FREERTOS_SAMPLE_() (void)0
#endif
#define traceISR_ENTER()                                                                      \
  do {                                                                                        \
    BAREFXT_FREERTOS_SAMPLE_();                                                               \
    if (BAREFXT_ENABLED(irq)) barefxt_freertos_interrupt_enter(BAREFXT_FREERTOS_INTERRUPT()); \
  } while (0)
#define traceISR_EXIT()                                                                      \
  do {                                                                                       \
    if (BAREFXT_ENABLED(irq)) barefxt_freertos_interrupt_exit(BAREFXT_FREERTOS_INTERRUPT()); \
  } while (0)
#define traceISR_EXIT_TO_SCHEDULER() traceISR_EXIT()

#if BAREFXT_FREERTOS_WAITS_LEVEL_

/* ---- In queue.c ---- */

#define traceQUEUE_CREATE(pxNewQueue) \
  ((pxNewQueue)->uxQueueNumber =      \
       barefxt_freertos_object_created((pxNewQueue)->ucQueueType, NULL, (pxNewQueue)))
#define traceQUEUE_DELETE(pxQueue) \
  barefxt_freertos_object_deleted((pxQueue)->ucQueueType, (uint32_t)(pxQueue)->uxQueueNumber)
#define traceQUEUE_REGISTRY_ADD(xQueue, pcQueueName)                                      \
  barefxt_freertos_object_named((xQueue)->ucQueueType, (uint32_t)(xQueue)->uxQueueNumber, \
                                (pcQueueName))

#define BAREFXT_FREERTOS_IS_MUTEX_(pxQueue)                     \
  ((pxQueue)->ucQueueType == (uint8_t)BAREFXT_FREERTOS_MUTEX || \
   (pxQueue)->ucQueueType == (uint8_t)BAREFXT_FREERTOS_RECURSIVE_MUTEX)
#define BAREFXT_FREERTOS_HOLDER_(pxQueue) \
  (BAREFXT_FREERTOS_IS_MUTEX_(pxQueue) ? (const void*)(pxQueue)->u.xSemaphore.xMutexHolder : NULL)
#define BAREFXT_FREERTOS_BLOCKS_(pxQueue, deed)                                    \
  BAREFXT_FREERTOS_IF_(barefxt_freertos_blocks((pxQueue)->ucQueueType, deed,       \
                                               (uint32_t)(pxQueue)->uxQueueNumber, \
                                               BAREFXT_FREERTOS_HOLDER_(pxQueue)))
#define BAREFXT_FREERTOS_DONE_(pxQueue, deed, failed)                      \
  BAREFXT_FREERTOS_IF_(barefxt_freertos_done((pxQueue)->ucQueueType, deed, \
                                             (uint32_t)(pxQueue)->uxQueueNumber, failed))
#define BAREFXT_FREERTOS_AT_ONCE_(pxQueue, deed, failed)                      \
  BAREFXT_FREERTOS_IF_(barefxt_freertos_at_once((pxQueue)->ucQueueType, deed, \
                                                (uint32_t)(pxQueue)->uxQueueNumber, failed))

/* The kernel's functions set their variable xEntryTimeSet when they find that they have to wait. A
 * task that has not waited so needs no search for a wait. */
#define BAREFXT_FREERTOS_HAS_WAITED_ (xEntryTimeSet != pdFALSE)
#define BAREFXT_FREERTOS_WHERE_OBJECTS_ARE_(call)                                               \
  do {                                                                                          \
    if (__builtin_expect((BAREFXT_LOAD_RELAXED_(barefxt_enabled_categories) &                   \
                          (BAREFXT_CATEGORY_BIT(freertos) | BAREFXT_CATEGORY_BIT(locks))) != 0, \
                         0))                                                                    \
      call;                                                                                     \
  } while (0)

#define traceBLOCKING_ON_QUEUE_SEND(pxQueue) \
  BAREFXT_FREERTOS_BLOCKS_(pxQueue, BAREFXT_FREERTOS_SEND)
#define traceBLOCKING_ON_QUEUE_RECEIVE(pxQueue) \
  BAREFXT_FREERTOS_BLOCKS_(pxQueue, BAREFXT_FREERTOS_RECEIVE)
#define traceBLOCKING_ON_QUEUE_PEEK(pxQueue) \
  BAREFXT_FREERTOS_BLOCKS_(pxQueue, BAREFXT_FREERTOS_PEEK)
/* Reads this field of any queue; only in a mutex it is the holder. */
#define traceQUEUE_SEND(pxQueue)                                                        \
  BAREFXT_FREERTOS_WHERE_OBJECTS_ARE_(                                                  \
      barefxt_freertos_sent((pxQueue)->ucQueueType, (uint32_t)(pxQueue)->uxQueueNumber, \
                            BAREFXT_FREERTOS_HAS_WAITED_, (pxQueue)->u.xSemaphore.xMutexHolder))
#define traceQUEUE_SEND_FAILED(pxQueue) BAREFXT_FREERTOS_DONE_(pxQueue, BAREFXT_FREERTOS_SEND, true)
#define traceQUEUE_RECEIVE(pxQueue)                              \
  BAREFXT_FREERTOS_WHERE_OBJECTS_ARE_(barefxt_freertos_received( \
      (pxQueue)->ucQueueType, (uint32_t)(pxQueue)->uxQueueNumber, BAREFXT_FREERTOS_HAS_WAITED_))
#define traceQUEUE_RECEIVE_FAILED(pxQueue) \
  BAREFXT_FREERTOS_DONE_(pxQueue, BAREFXT_FREERTOS_RECEIVE, true)
#define traceQUEUE_PEEK(pxQueue) BAREFXT_FREERTOS_DONE_(pxQueue, BAREFXT_FREERTOS_PEEK, false)
#define traceQUEUE_PEEK_FAILED(pxQueue) BAREFXT_FREERTOS_DONE_(pxQueue, BAREFXT_FREERTOS_PEEK, true)
#if BAREFXT_FREERTOS_ALL_LEVEL_
/* A function of its own, for every sender: the set is full or not, and never waited for. */
#define traceQUEUE_SET_SEND(pxQueue) \
  BAREFXT_FREERTOS_AT_ONCE_(pxQueue, BAREFXT_FREERTOS_SEND, false)
#define traceQUEUE_SEND_FROM_ISR(pxQueue) \
  BAREFXT_FREERTOS_AT_ONCE_(pxQueue, BAREFXT_FREERTOS_SEND, false)
#define traceQUEUE_SEND_FROM_ISR_FAILED(pxQueue) \
  BAREFXT_FREERTOS_AT_ONCE_(pxQueue, BAREFXT_FREERTOS_SEND, true)
#define traceQUEUE_RECEIVE_FROM_ISR(pxQueue) \
  BAREFXT_FREERTOS_AT_ONCE_(pxQueue, BAREFXT_FREERTOS_RECEIVE, false)
#define traceQUEUE_RECEIVE_FROM_ISR_FAILED(pxQueue) \
  BAREFXT_FREERTOS_AT_ONCE_(pxQueue, BAREFXT_FREERTOS_RECEIVE, true)
#else
#define traceQUEUE_SET_SEND(pxQueue)
#endif

/* ---- In timers.c ---- */

#if BAREFXT_FREERTOS_ALL_LEVEL_
#define traceTIMER_CREATE(pxNewTimer)                             \
  ((pxNewTimer)->uxTimerNumber = barefxt_freertos_object_created( \
       BAREFXT_FREERTOS_TIMER, (pxNewTimer)->pcTimerName, (pxNewTimer)))
#define traceTIMER_COMMAND_RECEIVED(pxTimer, xMessageID, xMessageValue)                            \
  do {                                                                                             \
    if ((xMessageID) == tmrCOMMAND_DELETE)                                                         \
      barefxt_freertos_object_deleted(BAREFXT_FREERTOS_TIMER, (uint32_t)(pxTimer)->uxTimerNumber); \
  } while (0)
#endif
#define traceTIMER_EXPIRED(pxTimer)                                                     \
  do {                                                                                  \
    if (BAREFXT_FREERTOS_ALL_LEVEL_ && BAREFXT_ENABLED(freertos))                       \
      barefxt_freertos_at_once(BAREFXT_FREERTOS_TIMER, BAREFXT_FREERTOS_EXPIRE,         \
                               (uint32_t)(pxTimer)->uxTimerNumber, false);              \
    if (BAREFXT_ENABLED(sched) && ((pxTimer)->ucStatus & tmrSTATUS_IS_AUTORELOAD) != 0) \
      barefxt_freertos_timer_runs((pxTimer)->pcTimerName,                               \
                                  (uint32_t)(pxTimer)->xTimerPeriodInTicks);            \
  } while (0)

/* ---- In event_groups.c ---- */

#define traceEVENT_GROUP_CREATE(xEventGroup) \
  ((xEventGroup)->uxEventGroupNumber =       \
       barefxt_freertos_object_created(BAREFXT_FREERTOS_EVENT_GROUP, NULL, (xEventGroup)))
#define traceEVENT_GROUP_DELETE(xEventGroup)                    \
  barefxt_freertos_object_deleted(BAREFXT_FREERTOS_EVENT_GROUP, \
                                  (uint32_t)(xEventGroup)->uxEventGroupNumber)
#if BAREFXT_FREERTOS_ALL_LEVEL_
#define traceEVENT_GROUP_SET_BITS(xEventGroup, uxBitsToSet)                         \
  BAREFXT_FREERTOS_IF_(                                                             \
      barefxt_freertos_at_once(BAREFXT_FREERTOS_EVENT_GROUP, BAREFXT_FREERTOS_SEND, \
                               (uint32_t)(xEventGroup)->uxEventGroupNumber, false))
#endif
#define traceEVENT_GROUP_WAIT_BITS_BLOCK(xEventGroup, uxBitsToWaitFor)       \
  BAREFXT_FREERTOS_IF_(barefxt_freertos_blocks(BAREFXT_FREERTOS_EVENT_GROUP, \
                                               BAREFXT_FREERTOS_RECEIVE,     \
                                               (uint32_t)(xEventGroup)->uxEventGroupNumber, NULL))
#define traceEVENT_GROUP_WAIT_BITS_END(xEventGroup, uxBitsToWaitFor, xTimeoutOccurred) \
  BAREFXT_FREERTOS_IF_(                                                                \
      barefxt_freertos_done(BAREFXT_FREERTOS_EVENT_GROUP, BAREFXT_FREERTOS_RECEIVE,    \
                            (uint32_t)(xEventGroup)->uxEventGroupNumber, (xTimeoutOccurred) != 0))
#define traceEVENT_GROUP_SYNC_BLOCK(xEventGroup, uxBitsToSet, uxBitsToWaitFor) \
  traceEVENT_GROUP_WAIT_BITS_BLOCK(xEventGroup, uxBitsToWaitFor)
#define traceEVENT_GROUP_SYNC_END(xEventGroup, uxBitsToSet, uxBitsToWaitFor, xTimeoutOccurred) \
  traceEVENT_GROUP_WAIT_BITS_END(xEventGroup, uxBitsToWaitFor, xTimeoutOccurred)

/* ---- In stream_buffer.c, of message buffers, too ---- */

#define BAREFXT_FREERTOS_STREAM_BLOCKS_(xStreamBuffer, deed)                                    \
  BAREFXT_FREERTOS_IF_(barefxt_freertos_blocks(BAREFXT_FREERTOS_STREAM_BUFFER, deed,            \
                                               (uint32_t)(xStreamBuffer)->uxStreamBufferNumber, \
                                               NULL))
#define BAREFXT_FREERTOS_STREAM_DONE_(xStreamBuffer, deed, failed)                            \
  BAREFXT_FREERTOS_IF_(barefxt_freertos_done(BAREFXT_FREERTOS_STREAM_BUFFER, deed,            \
                                             (uint32_t)(xStreamBuffer)->uxStreamBufferNumber, \
                                             failed))
#define BAREFXT_FREERTOS_STREAM_AT_ONCE_(xStreamBuffer, deed, failed)                            \
  BAREFXT_FREERTOS_IF_(barefxt_freertos_at_once(BAREFXT_FREERTOS_STREAM_BUFFER, deed,            \
                                                (uint32_t)(xStreamBuffer)->uxStreamBufferNumber, \
                                                failed))

#define traceSTREAM_BUFFER_CREATE(pxStreamBuffer, xStreamBufferType) \
  ((pxStreamBuffer)->uxStreamBufferNumber =                          \
       barefxt_freertos_object_created(BAREFXT_FREERTOS_STREAM_BUFFER, NULL, (pxStreamBuffer)))
#define traceSTREAM_BUFFER_DELETE(xStreamBuffer)                  \
  barefxt_freertos_object_deleted(BAREFXT_FREERTOS_STREAM_BUFFER, \
                                  (uint32_t)(xStreamBuffer)->uxStreamBufferNumber)
#define traceBLOCKING_ON_STREAM_BUFFER_SEND(xStreamBuffer) \
  BAREFXT_FREERTOS_STREAM_BLOCKS_(xStreamBuffer, BAREFXT_FREERTOS_SEND)
#define traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(xStreamBuffer) \
  BAREFXT_FREERTOS_STREAM_BLOCKS_(xStreamBuffer, BAREFXT_FREERTOS_RECEIVE)
#define traceSTREAM_BUFFER_SEND(xStreamBuffer, xBytesSent) \
  BAREFXT_FREERTOS_STREAM_DONE_(xStreamBuffer, BAREFXT_FREERTOS_SEND, false)
#define traceSTREAM_BUFFER_SEND_FAILED(xStreamBuffer) \
  BAREFXT_FREERTOS_STREAM_DONE_(xStreamBuffer, BAREFXT_FREERTOS_SEND, true)
#define traceSTREAM_BUFFER_RECEIVE(xStreamBuffer, xReceivedLength) \
  BAREFXT_FREERTOS_STREAM_DONE_(xStreamBuffer, BAREFXT_FREERTOS_RECEIVE, false)
#define traceSTREAM_BUFFER_RECEIVE_FAILED(xStreamBuffer) \
  BAREFXT_FREERTOS_STREAM_DONE_(xStreamBuffer, BAREFXT_FREERTOS_RECEIVE, true)
#if BAREFXT_FREERTOS_ALL_LEVEL_
#define traceSTREAM_BUFFER_SEND_FROM_ISR(xStreamBuffer, xBytesSent) \
  BAREFXT_FREERTOS_STREAM_AT_ONCE_(xStreamBuffer, BAREFXT_FREERTOS_SEND, (xBytesSent) == 0)
#define traceSTREAM_BUFFER_RECEIVE_FROM_ISR(xStreamBuffer, xReceivedLength) \
  BAREFXT_FREERTOS_STREAM_AT_ONCE_(xStreamBuffer, BAREFXT_FREERTOS_RECEIVE, (xReceivedLength) == 0)
#endif

#endif /* BAREFXT_FREERTOS_WAITS_LEVEL_ */

/* ---- In the heaps ---- */

#if BAREFXT_FREERTOS_ALL_LEVEL_
/* They stand in pvPortMalloc and vPortFree: the return address is in the code that called those. */
#define traceMALLOC(pvAddress, uiSize) \
  barefxt_freertos_allocated((pvAddress), (uiSize), __builtin_return_address(0))
#define traceFREE(pvAddress, uiSize) \
  barefxt_freertos_freed((pvAddress), (uiSize), __builtin_return_address(0))
#endif

#else /* BAREFXT_DISABLED: what applications call */
#ifndef BAREFXT_FREERTOS_INTERRUPT
#define BAREFXT_FREERTOS_INTERRUPT() 0
#endif
#define barefxt_freertos_scan_stacks() (void)0
#define barefxt_freertos_sample(at) (void)0
#endif
#endif /* __ASSEMBLER__ */
#endif
