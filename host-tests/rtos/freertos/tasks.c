/* The stand-in for tasks.c: the structures and lists that the trace macros see there. */
#include <barefxt_port.h>

#include "FreeRTOS.h"
#include "stand_in.h"
#include "task.h"

#define STACK_WORDS 64

typedef struct tskTaskControlBlock {
  volatile StackType_t* pxTopOfStack;
  ListItem_t xStateListItem;
  ListItem_t xEventListItem;
  UBaseType_t uxPriority;
  StackType_t* pxStack;
  StackType_t* pxEndOfStack;
  char pcTaskName[configMAX_TASK_NAME_LEN];
  UBaseType_t uxTCBNumber;
  UBaseType_t uxTaskNumber;
  volatile uint8_t ucNotifyState[configTASK_NOTIFICATION_ARRAY_ENTRIES];
} TCB_t;

unsigned stand_in_interrupt;

#if configNUMBER_OF_CORES == 1
static TCB_t* volatile pxCurrentTCB;
#define CURRENT pxCurrentTCB
#else
static TCB_t* volatile pxCurrentTCBs[configNUMBER_OF_CORES];
#define pxCurrentTCB xTaskGetCurrentTaskHandle()
#define CURRENT pxCurrentTCBs[barefxt_port_cpu()]
#endif

static List_t pxReadyTasksLists[1];
static List_t xDelayedTaskList1;
static List_t xDelayedTaskList2;
static List_t* volatile pxDelayedTaskList = &xDelayedTaskList1;
static List_t* volatile pxOverflowDelayedTaskList = &xDelayedTaskList2;
static List_t xTasksWaitingTermination;
static List_t xSuspendedTaskList;
static List_t xQueueList;
static volatile UBaseType_t uxSchedulerSuspended;
static UBaseType_t uxTaskNumber;
static uint32_t xTickCount;

static TCB_t blocks[48];
_Alignas(16) static StackType_t stacks[48][STACK_WORDS];

TaskHandle_t xTaskGetCurrentTaskHandle(void) { return CURRENT; }
UBaseType_t uxTaskGetTaskNumber(TaskHandle_t task) { return task == NULL ? 0 : task->uxTaskNumber; }
stand_in_task* stand_in_running(void) { return CURRENT; }

static bool is_free(const TCB_t* tcb) { return tcb->xStateListItem.pvContainer == NULL; }

void stand_in_make_ready(stand_in_task* task) {
  traceMOVED_TASK_TO_READY_STATE(task);
  stand_in_move(task, STAND_IN_READY);
}

/* Without the ready lists, which the kernel leaves alone then. */
void stand_in_suspend_scheduler(void) { ++uxSchedulerSuspended; }
void stand_in_resume_scheduler(void) { --uxSchedulerSuspended; }

void stand_in_remove_from_event_list(stand_in_task* task) {
  const List_t list = {1, task};
  const List_t* const pxEventList = &list;
  traceENTER_xTaskRemoveFromEventList(pxEventList);
  (void)pxEventList;
  if (uxSchedulerSuspended == 0) stand_in_make_ready(task);
}

void stand_in_resume_from_interrupt(stand_in_task* task) {
  TCB_t* const pxTCB = task;
  traceTASK_RESUME_FROM_ISR(pxTCB);
  if (uxSchedulerSuspended == 0) stand_in_make_ready(pxTCB);
}

void stand_in_notify_from_interrupt(stand_in_task* task) {
  TCB_t* const pxTCB = task;
  const uint8_t ucOriginalNotifyState = pxTCB->ucNotifyState[1];
  pxTCB->ucNotifyState[1] = 2;
  traceTASK_NOTIFY_FROM_ISR(1);
  if (ucOriginalNotifyState == 1 && uxSchedulerSuspended == 0) stand_in_make_ready(pxTCB);
}

stand_in_task* stand_in_create(const char* name, uint32_t priority) {
  for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
    TCB_t* const pxNewTCB = &blocks[i];
    if (!is_free(pxNewTCB)) continue;
    unsigned at = 0;
    for (; name[at] != 0 && at < configMAX_TASK_NAME_LEN - 1; ++at)
      pxNewTCB->pcTaskName[at] = name[at];
    pxNewTCB->pcTaskName[at] = 0;
    pxNewTCB->uxPriority = priority;
    pxNewTCB->uxTCBNumber = ++uxTaskNumber;
    pxNewTCB->pxStack = stacks[i];
    pxNewTCB->pxEndOfStack = &stacks[i][STACK_WORDS - 1];
    for (at = 0; at < STACK_WORDS; ++at) stacks[i][at] = 0xa5a5a5a5u;
    pxNewTCB->pxTopOfStack = pxNewTCB->pxEndOfStack;
    traceTASK_CREATE(pxNewTCB);
    stand_in_make_ready(pxNewTCB);
    return pxNewTCB;
  }
  return NULL;
}

void stand_in_delete(stand_in_task* task) {
  task->xStateListItem.pvContainer = NULL;
  if (task == CURRENT) task->xStateListItem.pvContainer = &xTasksWaitingTermination;
  traceTASK_DELETE(task);
}

void stand_in_move(stand_in_task* task, stand_in_place place) {
  static List_t* const lists[] = {pxReadyTasksLists,
                                  NULL,
                                  NULL,
                                  &xSuspendedTaskList,
                                  &xSuspendedTaskList,
                                  &xSuspendedTaskList,
                                  &xTasksWaitingTermination};
  task->xEventListItem.pvContainer = place == STAND_IN_WAITING_FOR_EVER ? &xQueueList : NULL;
  task->ucNotifyState[1] = place == STAND_IN_NOTIFIED_FOR_EVER ? 1 : 2;
  task->xStateListItem.pvContainer = place == STAND_IN_DELAYED ? pxDelayedTaskList
                                     : place == STAND_IN_DELAYED_BEYOND_OVERFLOW
                                         ? pxOverflowDelayedTaskList
                                         : lists[place];
  if (place == STAND_IN_SUSPENDED) traceTASK_SUSPEND(task);
}

stand_in_place stand_in_place_of(const stand_in_task* task) {
  const List_t* const list = task->xStateListItem.pvContainer;
  return list == pxReadyTasksLists           ? STAND_IN_READY
         : list == &xTasksWaitingTermination ? STAND_IN_TERMINATED
         : list == &xSuspendedTaskList       ? STAND_IN_SUSPENDED
                                             : STAND_IN_DELAYED;
}

void stand_in_set_priority(stand_in_task* task, uint32_t priority) {
  traceTASK_PRIORITY_SET(task, priority);
  task->uxPriority = priority;
  if (stand_in_place_of(task) == STAND_IN_READY) stand_in_make_ready(task);
}

void stand_in_inherit(stand_in_task* holder, uint32_t priority) {
  holder->uxPriority = priority;
  stand_in_make_ready(holder);
  traceTASK_PRIORITY_INHERIT(holder, priority);
}

void stand_in_disinherit(stand_in_task* holder, uint32_t priority) {
  traceTASK_PRIORITY_DISINHERIT(holder, priority);
  holder->uxPriority = priority;
  stand_in_make_ready(holder);
}

void stand_in_use_stack(stand_in_task* task, uint32_t left, uint32_t saved) {
  for (unsigned at = left / sizeof(StackType_t); at < STACK_WORDS; ++at) task->pxStack[at] = at;
  task->pxTopOfStack = task->pxStack + saved / sizeof(StackType_t);
}

void* stand_in_stack(const stand_in_task* task) { return task->pxStack; }

void stand_in_start_scheduler(stand_in_task* first) {
  CURRENT = first;
  traceTASK_SWITCHED_IN();
}

void stand_in_switch(stand_in_task* to) {
  TCB_t* const from = CURRENT;
  traceTASK_SWITCHED_OUT();
  CURRENT = to;
  traceTASK_SWITCHED_IN();
  /* The idle task does it later. */
  if (from != to && from->xStateListItem.pvContainer == &xTasksWaitingTermination)
    from->xStateListItem.pvContainer = NULL;
}

bool stand_in_delay_until(uint32_t period, bool later) {
  const TickType_t xTimeIncrement = period;
  const BaseType_t xShouldDelay = later ? pdTRUE : pdFALSE;
  if (later) {
    const TickType_t xTimeToWake = xTickCount + xTimeIncrement;
    traceTASK_DELAY_UNTIL(xTimeToWake);
    (void)xTimeToWake;
    stand_in_move(CURRENT, STAND_IN_DELAYED);
  }
  traceRETURN_xTaskDelayUntil(xShouldDelay);
  (void)xTimeIncrement;
  return later;
}

void stand_in_wait_for_timers(uint32_t ticks) {
  const TickType_t xTicksToWait = ticks;
  traceTASK_DELAY_UNTIL((xTickCount + xTicksToWait));
  (void)xTicksToWait;
  stand_in_move(CURRENT, STAND_IN_DELAYED);
}

void stand_in_switch_without_out(stand_in_task* to) {
  CURRENT = to;
  traceTASK_SWITCHED_IN();
}

void stand_in_tick(void) {
  stand_in_interrupt = 15;
  if (tskKERNEL_VERSION_MAJOR >= 11) traceISR_ENTER();
  traceTASK_INCREMENT_TICK(xTickCount);
  ++xTickCount;
  if (tskKERNEL_VERSION_MAJOR >= 11) traceISR_EXIT();
  stand_in_interrupt = 0;
}

void stand_in_device(void) {
  stand_in_interrupt = 24;
  traceISR_ENTER();
  traceISR_EXIT();
  stand_in_interrupt = 0;
}

void stand_in_late_tick(void) {
  traceTASK_INCREMENT_TICK(xTickCount);
  ++xTickCount;
}

void stand_in_interrupted_by(unsigned number) { stand_in_interrupt = number; }

void stand_in_handler_without_enter(unsigned number) {
  const unsigned interrupted = stand_in_interrupt;
  stand_in_interrupt = number;
  traceISR_EXIT_TO_SCHEDULER();
  stand_in_interrupt = interrupted;
}

void stand_in_notify(stand_in_task* task) {
  TCB_t* const pxTCB = task;
  traceTASK_NOTIFY(0);
  if (pxTCB->ucNotifyState[1] != 1) return;
  stand_in_make_ready(pxTCB);
}

void stand_in_notification_wait(void) {
  traceTASK_NOTIFY_TAKE_BLOCK(0);
  traceTASK_NOTIFY_TAKE(0);
}

void stand_in_reset(void) {
  for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
    TCB_t* const task = &blocks[i];
    if (is_free(task)) continue;
    task->xStateListItem.pvContainer = NULL;
    traceTASK_DELETE(task);
  }
}
