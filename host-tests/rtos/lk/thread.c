/* The stand-in for LK: threads, and queues of those that wait. */
#include <kernel/debug.h>
#include <kernel/thread.h>
#include <kernel/timer.h>

#include <barefxt/config.h>
#include <barefxt_port.h>

#include "lk.h"

unsigned stand_in_fault_count;
static bool is_locked;
static thread_t* current[BAREFXT_MAX_CPUS];
static thread_t threads[96];
#if BAREFXT_LK_STACKS
#include "../painted_stacks.h"
#endif
static thread_t* next_to_run;
static void (*what_happens)(void);

void stand_in_lock(void) {
  stand_in_fault_count += is_locked;
  is_locked = true;
}
void stand_in_unlock(void) {
  stand_in_fault_count += !is_locked;
  is_locked = false;
}
unsigned stand_in_faults(void) { return stand_in_fault_count; }

thread_t* get_current_thread(void) { return current[barefxt_port_cpu()]; }
stand_in_thread* stand_in_running(void) { return get_current_thread(); }
bool stand_in_is_ready(const stand_in_thread* thread) { return thread->state == THREAD_READY; }
void stand_in_set_next(stand_in_thread* to, void (*meanwhile)(void)) {
  next_to_run = to;
  what_happens = meanwhile;
}

static void set_name(thread_t* thread, const char* name) {
  size_t at = 0;
  for (; name[at] != 0 && at + 1 < sizeof thread->name; ++at) thread->name[at] = name[at];
  thread->name[at] = 0;
}

static void remove_from(thread_t* thread) {
  thread->queue_node.prev->next = thread->queue_node.next;
  thread->queue_node.next->prev = thread->queue_node.prev;
}

void wait_queue_init(wait_queue_t* wait) { wait->list.prev = wait->list.next = &wait->list; }

stand_in_thread* stand_in_create(const char* name, int priority) {
  for (size_t i = 0; i < sizeof threads / sizeof *threads; ++i) {
    thread_t* const thread = &threads[i];
    if (thread->stand_in_is_used) continue;
    thread->stand_in_is_used = true;
    thread->priority = priority;
    thread->state = THREAD_SUSPENDED;
    thread->flags = 0;
    thread->pinned_cpu = -1;
    thread->blocking_wait_queue = NULL;
#if BAREFXT_LK_STACKS
    thread->stack = paint_stack((uint32_t)i, 0x99999999u);
    thread->stack_size = STAND_IN_STACK_BYTES;
#endif
    thread->wait_queue_block_ret = NO_ERROR;
    wait_queue_init(&thread->retcode_wait_queue);
    set_name(thread, name);
    return thread;
  }
  return NULL;
}

void stand_in_set_priority(stand_in_thread* thread, int priority) { thread->priority = priority; }

void stand_in_boot(stand_in_thread* thread) {
  current[barefxt_port_cpu()] = thread;
  thread->state = THREAD_RUNNING;
}

void stand_in_become_idle(void) {
  thread_t* const thread = get_current_thread();
  thread->priority = 0;
  thread->flags |= THREAD_FLAG_IDLE;
  thread->pinned_cpu = (int)barefxt_port_cpu();
}

/* The running thread has its new state already. */
static void reschedule(void) {
  thread_t* const from = get_current_thread();
  thread_t* const to = next_to_run;
  to->state = THREAD_RUNNING;
  if (from == to) return;
  kernel_evlog_add(KERNEL_EVLOG_CONTEXT_SWITCH, (uintptr_t)from, (uintptr_t)to);
  current[barefxt_port_cpu()] = to;
}

void stand_in_switch(stand_in_thread* to) {
  kernel_evlog_add(KERNEL_EVLOG_PREEMPT, (uintptr_t)get_current_thread(), 0);
  stand_in_lock();
  get_current_thread()->state = THREAD_READY;
  next_to_run = to;
  reschedule();
  stand_in_unlock();
}

void stand_in_end(stand_in_thread* to) {
  thread_t* const thread = get_current_thread();
  stand_in_lock();
  thread->state = THREAD_DEATH;
  thread->stand_in_is_used = false;
  wait_queue_wake_all(&thread->retcode_wait_queue, false, NO_ERROR);
  next_to_run = to;
  reschedule();
  stand_in_unlock();
}

static enum handler_return sleep_is_over(timer_t* timer, lk_time_t now, void* argument) {
  (void)timer;
  (void)now;
  THREAD_LOCK(state);
  ((thread_t*)argument)->state = THREAD_READY;
  THREAD_UNLOCK(state);
  return INT_RESCHEDULE;
}

static enum handler_return wait_is_over(timer_t* timer, lk_time_t now, void* argument) {
  (void)timer;
  (void)now;
  THREAD_LOCK(state);
  thread_unblock_from_wait_queue((thread_t*)argument, ERR_TIMED_OUT);
  THREAD_UNLOCK(state);
  return INT_RESCHEDULE;
}

void stand_in_sleep(stand_in_thread* to) {
  timer_t timer;
  stand_in_lock();
  timer_set_oneshot(&timer, 1, sleep_is_over, get_current_thread());
  get_current_thread()->state = THREAD_SLEEPING;
  next_to_run = to;
  reschedule();
  stand_in_unlock();
}

void stand_in_sleep_is_over(stand_in_thread* thread) { stand_in_fire(sleep_is_over, thread); }
void stand_in_time_out(stand_in_thread* thread) { stand_in_fire(wait_is_over, thread); }

status_t wait_queue_block(wait_queue_t* wait, lk_time_t timeout) {
  thread_t* const thread = get_current_thread();
  timer_t timer;
  thread->queue_node.prev = wait->list.prev;
  thread->queue_node.next = &wait->list;
  wait->list.prev->next = &thread->queue_node;
  wait->list.prev = &thread->queue_node;
  thread->state = THREAD_BLOCKED;
  thread->blocking_wait_queue = wait;
  thread->wait_queue_block_ret = NO_ERROR;
  if (timeout != INFINITE_TIME) timer_set_oneshot(&timer, timeout, wait_is_over, thread);
  reschedule();
  /* Another thread runs here, and after a while this one again. */
  stand_in_unlock();
  what_happens();
  stand_in_lock();
  return thread->wait_queue_block_ret;
}

static void make_ready(thread_t* thread, status_t error) {
  remove_from(thread);
  thread->state = THREAD_READY;
  thread->blocking_wait_queue = NULL;
  thread->wait_queue_block_ret = error;
}

int wait_queue_wake_one(wait_queue_t* wait, bool now, status_t error) {
  thread_t* const thread = list_peek_head_type(&wait->list, thread_t, queue_node);
  if (thread == NULL) return 0;
  make_ready(thread, error);
  if (now) {
    get_current_thread()->state = THREAD_READY;
    next_to_run = thread;
    reschedule();
  }
  return 1;
}

int wait_queue_wake_all(wait_queue_t* wait, bool now, status_t error) {
  (void)now;
  int count = 0;
  thread_t* thread;
  while ((thread = list_peek_head_type(&wait->list, thread_t, queue_node)) != NULL) {
    make_ready(thread, error);
    ++count;
  }
  return count;
}

void thread_unblock(thread_t* thread, bool now) {
  (void)now;
  thread->state = THREAD_READY;
}

status_t thread_unblock_from_wait_queue(thread_t* thread, status_t error) {
  if (thread->state == THREAD_BLOCKED) make_ready(thread, error);
  return NO_ERROR;
}

status_t thread_resume(thread_t* thread) {
  THREAD_LOCK(state);
  if (thread->state == THREAD_SUSPENDED) thread->state = THREAD_READY;
  THREAD_UNLOCK(state);
  return NO_ERROR;
}

status_t thread_detach_and_resume(thread_t* thread) { return thread_resume(thread); }

void thread_set_name(const char* name) { set_name(get_current_thread(), name); }

status_t thread_join(thread_t* thread, int* code, lk_time_t timeout) {
  (void)code;
  status_t status = NO_ERROR;
  THREAD_LOCK(state);
  if (thread->state != THREAD_DEATH)
    status = wait_queue_block(&thread->retcode_wait_queue, timeout);
  THREAD_UNLOCK(state);
  return status;
}

void stand_in_reset(void) {
  for (size_t i = 0; i < sizeof threads / sizeof *threads; ++i) {
    thread_t* const thread = &threads[i];
    if (!thread->stand_in_is_used) continue;
    /* The state of one that ends. */
    thread->state = THREAD_DEATH;
    thread->stand_in_is_used = false;
    kernel_evlog_add(KERNEL_EVLOG_CONTEXT_SWITCH, (uintptr_t)thread, (uintptr_t)thread);
  }
  for (size_t cpu = 0; cpu < BAREFXT_MAX_CPUS; ++cpu) current[cpu] = NULL;
  stand_in_fault_count = 0;
}
