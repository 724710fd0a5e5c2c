/* The stand-in for Zephyr. */
#include <zephyr/kernel.h>

#include <barefxt_port.h>

#include "stand_in.h"

#ifdef BAREFXT_ZEPHYR_FORMAT
#include <barefxt_zephyr_format.h>
#else
#define HOOK(name, ...) void name(__VA_ARGS__);
#include "called_hooks.h"
#endif

struct z_kernel _kernel;
unsigned stand_in_interrupt;
static struct k_thread threads[64];
#if BAREFXT_ZEPHYR_STACKS
#include "../painted_stacks.h"
void stand_in_take_stack(stand_in_thread* thread) { thread->stack_info.start = 0; }
#ifndef BAREFXT_ZEPHYR_FORMAT
void sys_trace_idle_user(void);
#endif
void stand_in_wait(void) { sys_trace_idle_user(); }
#endif
static struct k_thread dummy = {.base = {.thread_state = _THREAD_DUMMY}};
static union {
  struct k_mutex mutex;
  uint64_t others;
} objects[2];
static const k_timeout_t forever = {-1};

#define CURRENT _kernel.cpus[barefxt_port_cpu()].current
/* A thread that joins another one leaves to it. */
static struct k_thread* joined;
/* The same object, as a kernel's of that type. */
#define OBJECT(type) ((struct type*)&objects[object])

struct k_thread* k_sched_current_thread_query(void) { return CURRENT; }
const char* k_thread_name_get(struct k_thread* thread) { return thread->name; }
stand_in_thread* stand_in_running(void) { return CURRENT; }

static bool is_user;
void stand_in_run_as_user(bool now) { is_user = now; }
bool k_is_user_context(void) { return is_user; }
bool k_is_in_isr(void) { return stand_in_interrupt != 0; }

static void copy_name(struct k_thread* thread, const char* name) {
  size_t at = 0;
  for (; name[at] != 0 && at + 1 < sizeof thread->name; ++at) thread->name[at] = name[at];
  thread->name[at] = 0;
}

stand_in_thread* stand_in_create_at(stand_in_thread* thread, const char* name, int priority) {
  thread->stand_in_is_used = true;
  thread->base.prio = (int8_t)priority;
  thread->base.thread_state = STAND_IN_SLEEPING;
  copy_name(thread, "");
  sys_trace_thread_create_user(thread);
  stand_in_set_name(thread, name);
  if (priority != K_IDLE_PRIO) stand_in_ready(thread);
  return thread;
}

stand_in_thread* stand_in_create(const char* name, int priority) {
  static size_t next;
  for (size_t i = 0; i < sizeof threads / sizeof *threads; ++i) {
    struct k_thread* const thread = &threads[next++ % (sizeof threads / sizeof *threads)];
    if (thread->stand_in_is_used) continue;
#if BAREFXT_ZEPHYR_STACKS
    thread->stack_info.start = (uintptr_t)paint_stack((uint32_t)(thread - threads), 0xaaaaaaaau);
    thread->stack_info.size = STAND_IN_STACK_BYTES;
#endif
    return stand_in_create_at(thread, name, priority);
  }
  return NULL;
}

void stand_in_set_name(stand_in_thread* thread, const char* name) {
  copy_name(thread, name);
  sys_trace_thread_name_set_user(thread);
}

void stand_in_set_priority(stand_in_thread* thread, int priority) {
  sys_trace_thread_priority_set_user(thread, priority);
  thread->base.prio = (int8_t)priority;
}

void stand_in_ready(stand_in_thread* thread) {
  sys_trace_thread_sched_ready_user(thread);
  thread->base.thread_state = _THREAD_QUEUED;
}
bool stand_in_is_ready(const stand_in_thread* thread) {
  return thread->base.thread_state == _THREAD_QUEUED;
}

void stand_in_boot(stand_in_thread* thread) {
  CURRENT = thread == NULL ? &dummy : thread;
  if (thread != NULL) thread->base.thread_state = _THREAD_QUEUED;
}
void stand_in_switch_out(void) { sys_trace_thread_switched_out_user(); }
void stand_in_switch_in(stand_in_thread* to) {
  CURRENT = to;
  to->base.thread_state = _THREAD_QUEUED;
  sys_trace_thread_switched_in_user();
}

static void report_blocking(stand_in_leaves how, unsigned object) {
  switch (how) {
    case STAND_IN_SEMAPHORE:
      return sys_trace_k_sem_take_blocking_user(OBJECT(k_sem), forever);
    case STAND_IN_MUTEX:
      return sys_trace_k_mutex_lock_blocking_user(OBJECT(k_mutex), forever);
    case STAND_IN_QUEUE_EMPTY:
      return sys_trace_k_msgq_get_blocking_user(OBJECT(k_msgq), forever);
    case STAND_IN_QUEUE_FULL:
      return sys_trace_k_msgq_put_blocking_user(OBJECT(k_msgq), forever);
    case STAND_IN_EVENT:
      return sys_trace_k_event_wait_blocking_user(OBJECT(k_event), 1, 0, forever);
    case STAND_IN_CONDITION:
      return sys_trace_k_condvar_wait_enter_user(OBJECT(k_condvar), forever);
    case STAND_IN_QUEUE_FULL_IN_FRONT:
      return sys_trace_k_msgq_put_front_blocking_user(OBJECT(k_msgq), forever);
    case STAND_IN_SLAB:
      return sys_trace_k_mem_slab_alloc_blocking_user(OBJECT(k_mem_slab), forever);
    case STAND_IN_MAILBOX_EMPTY:
      return sys_trace_k_mbox_get_blocking_user(OBJECT(k_mbox), forever);
    case STAND_IN_MAILBOX_FULL:
      return sys_trace_k_mbox_message_put_blocking_user(OBJECT(k_mbox), forever);
    case STAND_IN_JOIN:
      return sys_trace_k_thread_join_blocking_user(joined, forever);
    default:
      return;
  }
}

void stand_in_switch(stand_in_leaves how, unsigned object, stand_in_thread* to) {
  joined = to;
  report_blocking(how, object);
  if (how == STAND_IN_SUSPENDED) sys_trace_thread_suspend_user(CURRENT);
  if (CURRENT != &dummy) {
    CURRENT->base.timeout.node.next = how == STAND_IN_SLEEPS ? &CURRENT->base.timeout.node : NULL;
    CURRENT->base.thread_state = how == STAND_IN_READY       ? _THREAD_QUEUED
                                 : how == STAND_IN_SLEEPS    ? STAND_IN_SLEEPING
                                 : how == STAND_IN_SUSPENDED ? _THREAD_SUSPENDED
                                                             : _THREAD_PENDING;
  }
  stand_in_switch_out();
  stand_in_switch_in(to);
}

void stand_in_return(stand_in_leaves how, unsigned object, bool failed) {
  const int status = failed ? -11 : 0;
  switch (how) {
    case STAND_IN_SEMAPHORE:
      return sys_trace_k_sem_take_exit_user(OBJECT(k_sem), forever, status);
    case STAND_IN_MUTEX:
      return sys_trace_k_mutex_lock_exit_user(OBJECT(k_mutex), forever, status);
    case STAND_IN_QUEUE_EMPTY:
      return sys_trace_k_msgq_get_exit_user(OBJECT(k_msgq), forever, status);
    case STAND_IN_QUEUE_FULL:
      return sys_trace_k_msgq_put_exit_user(OBJECT(k_msgq), forever, status);
    case STAND_IN_EVENT:
      return sys_trace_k_event_wait_exit_user(OBJECT(k_event), 1, failed ? 0 : 1);
    case STAND_IN_CONDITION:
      return sys_trace_k_condvar_wait_exit_user(OBJECT(k_condvar), forever, status);
    case STAND_IN_QUEUE_FULL_IN_FRONT:
      return sys_trace_k_msgq_put_front_exit_user(OBJECT(k_msgq), forever, status);
    case STAND_IN_SLAB:
      return sys_trace_k_mem_slab_alloc_exit_user(OBJECT(k_mem_slab), forever, status);
    case STAND_IN_MAILBOX_EMPTY:
      return sys_trace_k_mbox_get_exit_user(OBJECT(k_mbox), forever, status);
    case STAND_IN_MAILBOX_FULL:
      return sys_trace_k_mbox_message_put_exit_user(OBJECT(k_mbox), forever, status);
    case STAND_IN_JOIN:
      return sys_trace_k_thread_join_exit_user(joined, forever, status);
    default:
      return;
  }
}

void stand_in_hold(unsigned object, stand_in_thread* thread) {
  objects[object].mutex.owner = thread;
}

void stand_in_lock(unsigned object) {
  sys_trace_k_mutex_lock_exit_user(OBJECT(k_mutex), forever, 0);
}
void stand_in_take(unsigned object) { sys_trace_k_sem_take_exit_user(OBJECT(k_sem), forever, 0); }

/* In 3.2 the linker leads the call here first. Later ones report a thread that is dead, and the CPU
 * goes on as a dummy thread. */
static void ends(struct k_thread* thread) {
#ifdef STAND_IN_ZEPHYR_3_2
  sys_trace_thread_abort_user(thread);
  thread->base.thread_state = _THREAD_DEAD | _THREAD_ABORTING;
#else
  thread->base.thread_state = _THREAD_DEAD;
  sys_trace_k_thread_sched_abort_user(thread);
  if (CURRENT == thread) CURRENT = &dummy;
#endif
}

void stand_in_end(stand_in_thread* to) {
  struct k_thread* const gone = CURRENT;
  ends(gone);
  stand_in_switch_out();
  gone->stand_in_is_used = false;
  stand_in_switch_in(to);
}

void stand_in_abort(stand_in_thread* thread) {
  ends(thread);
  thread->stand_in_is_used = false;
}

void stand_in_interrupted_by(unsigned number) { stand_in_interrupt = number; }
void stand_in_interrupt_enter(unsigned number) {
  stand_in_interrupt = number;
  sys_trace_isr_enter_user();
}
void stand_in_interrupt_exit(unsigned number) {
  stand_in_interrupt = number;
  sys_trace_isr_exit_user();
  stand_in_interrupt = 0;
}

void stand_in_idle(void) {
  if (CURRENT != NULL && CURRENT != &dummy) {
    CURRENT->base.thread_state = _THREAD_QUEUED;
    stand_in_switch_out();
  }
  CURRENT = NULL;
}

void stand_in_reset(void) {
  for (size_t i = 0; i < sizeof threads / sizeof *threads; ++i)
    if (threads[i].stand_in_is_used) stand_in_abort(&threads[i]);
}
