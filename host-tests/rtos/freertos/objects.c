/* The stand-in for queue.c, timers.c, event_groups.c, stream_buffer.c and a heap. */
#include "FreeRTOS.h"
#include "stand_in.h"

struct stand_in_object {
  /* Each of the kernel's structures has one of these. */
  UBaseType_t uxQueueNumber;
  UBaseType_t uxTimerNumber;
  UBaseType_t uxEventGroupNumber;
  UBaseType_t uxStreamBufferNumber;
  uint8_t ucQueueType;
  const char* pcTimerName;
  union {
    struct {
      stand_in_task* xMutexHolder;
    } xSemaphore;
  } u;
  TickType_t xTimerPeriodInTicks;
  uint8_t ucStatus;
};
#define tmrSTATUS_IS_AUTORELOAD ((uint8_t)4)

static stand_in_object objects[32];
static unsigned count;

static stand_in_object* next(void) {
  stand_in_object* object = &objects[count++ % 32];
  /* Memory from the heap has old content. */
  object->uxQueueNumber = object->uxTimerNumber = object->uxEventGroupNumber =
      object->uxStreamBufferNumber = 0xdeadbeef;
  object->u.xSemaphore.xMutexHolder = NULL;
  return object;
}

uint32_t stand_in_object_number(const stand_in_object* object) {
  const UBaseType_t numbers[] = {object->uxQueueNumber, object->uxTimerNumber,
                                 object->uxEventGroupNumber, object->uxStreamBufferNumber};
  for (unsigned i = 0; i < 4; ++i)
    if (numbers[i] != 0xdeadbeef) return (uint32_t)numbers[i];
  return 0;
}

stand_in_object* stand_in_queue_create(uint8_t kind) {
  stand_in_object* const pxNewQueue = next();
  pxNewQueue->ucQueueType = kind;
  traceQUEUE_CREATE(pxNewQueue);
  return pxNewQueue;
}
void stand_in_queue_delete(stand_in_object* queue) {
  traceQUEUE_DELETE(queue);
  /* As a heap does: the latest block's memory is the next one's. */
  if (queue == &objects[(count - 1) % 32]) --count;
}
void stand_in_queue_name(stand_in_object* queue, const char* name) {
  traceQUEUE_REGISTRY_ADD(queue, name);
}

/* The tasks that have blocked and are within the kernel's function yet: there its xEntryTimeSet is
 * true. */
static stand_in_task* within[64];
static BaseType_t leaves(const stand_in_task* task) {
  for (unsigned i = 0; i < sizeof within / sizeof *within; ++i) {
    if (within[i] != task) continue;
    within[i] = NULL;
    return pdTRUE;
  }
  return pdFALSE;
}
static void stays(stand_in_task* task) {
  leaves(task);
  unsigned i = 0;
  while (within[i] != NULL) ++i;
  within[i] = task;
}

void stand_in_queue_blocks(stand_in_object* queue) {
  traceBLOCKING_ON_QUEUE_RECEIVE(queue);
  stays(stand_in_running());
  (void)queue;
}
void stand_in_queue_received(stand_in_object* queue) {
  const BaseType_t xEntryTimeSet = leaves(stand_in_running());
  traceQUEUE_RECEIVE(queue);
  (void)xEntryTimeSet;
  if (queue->ucQueueType == 1 || queue->ucQueueType == 4)
    queue->u.xSemaphore.xMutexHolder = stand_in_running();
}
void stand_in_queue_timed_out(stand_in_object* queue) {
  leaves(stand_in_running());
  traceQUEUE_RECEIVE_FAILED(queue);
  (void)queue;
}
void stand_in_queue_sent(stand_in_object* queue) {
  const BaseType_t xEntryTimeSet = leaves(stand_in_running());
  traceQUEUE_SEND(queue);
  (void)xEntryTimeSet;
  queue->u.xSemaphore.xMutexHolder = NULL;
}
void stand_in_queue_sent_from_interrupt(stand_in_object* queue) { traceQUEUE_SEND_FROM_ISR(queue); }

#define tmrCOMMAND_DELETE 5
stand_in_object* stand_in_timer_create(const char* name) {
  stand_in_object* const pxNewTimer = next();
  pxNewTimer->pcTimerName = name;
  pxNewTimer->ucStatus = 0;
  traceTIMER_CREATE(pxNewTimer);
  return pxNewTimer;
}
void stand_in_timer_reloads(stand_in_object* timer, uint32_t period) {
  timer->ucStatus = tmrSTATUS_IS_AUTORELOAD;
  timer->xTimerPeriodInTicks = period;
}
void stand_in_timer_expired(stand_in_object* timer) { traceTIMER_EXPIRED(timer); }
void stand_in_timer_deleted(stand_in_object* timer) {
  traceTIMER_COMMAND_RECEIVED(timer, tmrCOMMAND_DELETE, 0);
}

stand_in_object* stand_in_event_group_create(void) {
  stand_in_object* const pxEventBits = next();
  traceEVENT_GROUP_CREATE(pxEventBits);
  return pxEventBits;
}
void stand_in_event_group_wait(stand_in_object* group, bool timed_out) {
  traceEVENT_GROUP_WAIT_BITS_BLOCK(group, 1);
  traceEVENT_GROUP_WAIT_BITS_END(group, 1, timed_out);
}

stand_in_object* stand_in_stream_create(void) {
  stand_in_object* const stream = next();
  traceSTREAM_BUFFER_CREATE(stream, 0);
  return stream;
}
void stand_in_stream_receive(stand_in_object* stream) {
  traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(stream);
  stand_in_notification_wait();
  traceSTREAM_BUFFER_RECEIVE(stream, 4);
}

void stand_in_malloc(size_t bytes) { traceMALLOC(&objects, bytes); }
void stand_in_malloc_failed(size_t bytes) { traceMALLOC(NULL, bytes); }
void stand_in_free(size_t bytes) { traceFREE(&objects, bytes); }
