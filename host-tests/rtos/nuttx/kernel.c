/* The stand-in for NuttX. */
#include <nuttx/note/note_driver.h>
#include <nuttx/sched_note.h>
#include <nuttx/semaphore.h>

#include <barefxt_port.h>

#include "barefxt_nuttx.h"
#include "stand_in.h"

static struct tcb_s threads[96];
#if BAREFXT_NUTTX_STACKS
#include "../painted_stacks.h"
#endif
static struct tcb_s* current[BAREFXT_MAX_CPUS];

/* Until another driver is registered, the kernel's hooks lead here. */
static void nothing(struct note_driver_s* it, struct tcb_s* tcb) {
  (void)it;
  (void)tcb;
}
static void no_interrupt(struct note_driver_s* it, int irq, void* handler, bool enter) {
  (void)it;
  (void)irq;
  (void)handler;
  (void)enter;
}
static void no_timer(struct note_driver_s* it, uint8_t event, void* handler, const void* argument) {
  (void)it;
  (void)event;
  (void)handler;
  (void)argument;
}
static void no_heap(struct note_driver_s* it, uint8_t event, void* heap, void* block, size_t bytes,
                    size_t used) {
  (void)it;
  (void)event;
  (void)heap;
  (void)block;
  (void)bytes;
  (void)used;
}
static const struct note_driver_ops_s no_operations = {.start = nothing,
                                                       .stop = nothing,
                                                       .suspend = nothing,
                                                       .resume = nothing,
                                                       .irqhandler = no_interrupt,
                                                       .wdog = no_timer,
                                                       .heap = no_heap};
static struct note_driver_s no_driver = {.ops = &no_operations};
static struct note_driver_s* driver = &no_driver;
static int room_for_drivers;
static sem_t semaphores[2];
static sem_t mutexes[2] = {{SEM_TYPE_MUTEX, {NXSEM_NO_MHOLDER}},
                           {SEM_TYPE_MUTEX, {NXSEM_NO_MHOLDER}}};
static int events[2];
static int queues[2];

#define RUNNING current[barefxt_port_cpu()]

int note_driver_register(struct note_driver_s* added) {
  if (room_for_drivers == 0) return -12;
  --room_for_drivers;
  driver = added;
  return 0;
}

int stand_in_register(int room) {
  room_for_drivers = room;
  return barefxt_nuttx_register();
}

stand_in_thread* stand_in_create(const char* name, uint8_t priority, int pid) {
  for (size_t i = 0; i < sizeof threads / sizeof *threads; ++i) {
    struct tcb_s* const thread = &threads[i];
    if (thread->stand_in_is_used) continue;
    thread->stand_in_is_used = true;
    thread->pid = pid;
    thread->sched_priority = thread->init_priority = priority;
    thread->task_state = TSTATE_TASK_INACTIVE;
    thread->waitobj = NULL;
    thread->errcode = 0;
#if BAREFXT_NUTTX_STACKS
    thread->stack_base_ptr = paint_stack((uint32_t)i, 0xdeadbeefu);
    thread->adj_stack_size = STAND_IN_STACK_BYTES;
#endif
    stand_in_set_name(thread, name);
    return thread;
  }
  return NULL;
}

void stand_in_set_name(stand_in_thread* thread, const char* name) {
  size_t at = 0;
  for (; name[at] != 0 && at + 1 < sizeof thread->name; ++at) thread->name[at] = name[at];
  thread->name[at] = 0;
}

void stand_in_start(stand_in_thread* thread) {
  driver->ops->start(driver, thread);
  nxsched_add_readytorun(thread);
}

void stand_in_set_priority(stand_in_thread* thread, uint8_t priority) {
  thread->sched_priority = priority;
}
void stand_in_requeue(stand_in_thread* thread) { nxsched_add_readytorun(thread); }
bool stand_in_is_ready(const stand_in_thread* thread) {
  return thread->task_state == TSTATE_TASK_READYTORUN;
}

void stand_in_boot(stand_in_thread* thread) {
  RUNNING = thread;
  thread->task_state = TSTATE_TASK_RUNNING;
}
struct tcb_s* nxsched_self(void) { return RUNNING; }
stand_in_thread* stand_in_running(void) { return RUNNING; }

/* The kernel calls it with both threads, when the chosen one is marked as running already. */
static void switch_context(struct tcb_s* from, struct tcb_s* to) {
  to->task_state = TSTATE_TASK_RUNNING;
  driver->ops->suspend(driver, from);
  driver->ops->resume(driver, to);
  RUNNING = to;
}

void stand_in_switch(stand_in_leaves how, unsigned object, stand_in_thread* to) {
  static const tstate_t states[] = {
      TSTATE_TASK_READYTORUN, TSTATE_WAIT_SIG,        TSTATE_WAIT_SEM,       TSTATE_WAIT_SEM,
      TSTATE_WAIT_EVENT,      TSTATE_WAIT_MQNOTEMPTY, TSTATE_WAIT_MQNOTFULL, TSTATE_TASK_STOPPED};
  struct tcb_s* const from = RUNNING;
  from->task_state = states[how];
  from->errcode = 0;
  from->waitobj = how == STAND_IN_SEMAPHORE     ? (void*)&semaphores[object]
                  : how == STAND_IN_MUTEX       ? (void*)&mutexes[object]
                  : how == STAND_IN_EVENT       ? (void*)&events[object]
                  : how == STAND_IN_QUEUE_EMPTY ? (void*)&queues[object]
                  : how == STAND_IN_QUEUE_FULL  ? (void*)&queues[object]
                                                : NULL;
  switch_context(from, to);
}

void stand_in_wake(stand_in_thread* thread, bool failed) {
  thread->errcode = failed ? 110 : 0;
  thread->waitobj = NULL;
  nxsched_add_readytorun(thread);
}

void stand_in_hold(unsigned mutex, stand_in_thread* thread) {
  mutexes[mutex].val.mholder =
      thread == NULL ? NXSEM_NO_MHOLDER : thread->pid | NXSEM_MBLOCKING_BIT;
}

void stand_in_end(stand_in_thread* to, bool is_reported_first) {
  struct tcb_s* const gone = RUNNING;
  gone->task_state = is_reported_first ? TSTATE_TASK_INVALID : TSTATE_TASK_INACTIVE;
  if (is_reported_first) driver->ops->stop(driver, gone);
  switch_context(gone, to);
  if (!is_reported_first) driver->ops->stop(driver, gone);
  gone->stand_in_is_used = false;
}

void stand_in_terminate(stand_in_thread* thread) {
  driver->ops->stop(driver, thread);
  thread->stand_in_is_used = false;
}

void stand_in_interrupt_enter(int irq) { driver->ops->irqhandler(driver, irq, NULL, true); }
void stand_in_interrupt_exit(int irq) { driver->ops->irqhandler(driver, irq, NULL, false); }
void stand_in_timer(void* callback) {
  driver->ops->wdog(driver, NOTE_WDOG_START, callback, NULL);
  driver->ops->wdog(driver, NOTE_WDOG_ENTER, callback, NULL);
  driver->ops->wdog(driver, NOTE_WDOG_LEAVE, callback, NULL);
}
void stand_in_allocate(uint32_t bytes) {
  static int heap;
  static size_t used;
  used += bytes;
  driver->ops->heap(driver, NOTE_HEAP_ALLOC, &heap, &heap, bytes, used);
}

void stand_in_idle(void) {
  static struct tcb_s idle[BAREFXT_MAX_CPUS];
  struct tcb_s* const thread = &idle[barefxt_port_cpu()];
  thread->pid = (int)barefxt_port_cpu();
  if (RUNNING == NULL) return;
  RUNNING->task_state = TSTATE_TASK_READYTORUN;
  switch_context(RUNNING, thread);
}

void stand_in_reset(void) {
  for (size_t i = 0; i < sizeof threads / sizeof *threads; ++i)
    if (threads[i].stand_in_is_used) stand_in_terminate(&threads[i]);
}
