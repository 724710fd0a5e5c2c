/* What LK's event log is told, and what its functions do that the linker leads here first.
 *
 * A thread_t has no room for a barefxt_thread, so there is a table of them, found by address. It
 * changes under the kernel's thread_lock alone, which is held at switches and wakeups, and taken
 * here elsewhere. Who only looks takes no lock: a record is looked at for the running thread, or
 * for one that sleeps, and both stay where they are; for others a search may fail, but it ends.
 *
 * A thread becomes known when it is first seen, so that no order of events is wrong. It is
 * forgotten when it leaves for good: what has its address later is another one.
 */
#include "barefxt_lk.h"

#if !BAREFXT_DISABLED

#include <kernel/debug.h>
#include <kernel/event.h>
#include <kernel/mutex.h>
#include <kernel/port.h>
#include <kernel/semaphore.h>
#include <kernel/thread.h>
#include <kernel/timer.h>

/* Threads that exist at one time, 64 bytes each or fewer. Others are shown as one, "(more
 * threads)".
 */
#ifndef BAREFXT_LK_THREADS
#define BAREFXT_LK_THREADS 64
#endif

/* Objects whose ids are remembered; the oldest makes room. 12 to 16 bytes each. */
#ifndef BAREFXT_LK_OBJECTS
#define BAREFXT_LK_OBJECTS 32
#endif

enum wait_kind { WAIT_OTHER, WAIT_MUTEX, WAIT_SEMAPHORE, WAIT_EVENT, WAIT_PORT, WAIT_THREAD };

struct known {
  barefxt_thread thread;
  thread_t* of; /* null: this place is free */
  uint32_t next;
  int priority;
  bool is_idle;
  uint32_t awake_in;   /* the session that knows it to be ready or running; 0: none */
  uint32_t waiting_in; /* the session in which it blocked; 0: none */
  uint32_t calls;      /* what it is about to wait for: an enum wait_kind */
  uint32_t kind;       /* and what it waits for */
  uint32_t object;     /* the koid of that */
  uint64_t wait_begin;
};

/* Place 0 is for those who have none. Lists begin at `first`, by the address's hash; they end with
 * 0. */
#define BUCKETS 64
static struct known places[BAREFXT_LK_THREADS + 1];
static uint32_t first[BUCKETS];
static uint32_t process;
/* Of the kernel's two timers that wake a thread, the one of waits that end in time. */
static timer_callback wait_timeout;

/* ---- Threads ---- */

static uint32_t* bucket_of(const thread_t* thread) {
  const uint32_t scattered = (uint32_t)((uintptr_t)thread >> 4) * 2654435769u;
  return &first[scattered >> 26];
}

/* Null where it is not known. Counts its steps, since another CPU may change the list. */
static struct known* find(const thread_t* thread) {
  uint32_t place = __atomic_load_n(bucket_of(thread), __ATOMIC_RELAXED);
  for (uint32_t steps = 0; place != 0 && steps < BAREFXT_LK_THREADS; ++steps) {
    if (__atomic_load_n(&places[place].of, __ATOMIC_RELAXED) == thread) return &places[place];
    place = __atomic_load_n(&places[place].next, __ATOMIC_RELAXED);
  }
  return NULL;
}

static bool is_idle(const thread_t* thread) { return (thread->flags & THREAD_FLAG_IDLE) != 0; }

/* The format takes priority 0 for an idle CPU, LK for its lowest thread. */
static uint8_t shown_priority(int priority) {
  return priority < 0 ? 1 : (uint8_t)(priority < 254 ? priority + 1 : 255);
}

static void register_idle(struct known* known, int cpu) {
  char name[] = "idle/0";
  name[sizeof name - 2] = (char)('0' + (cpu < 0 ? 0 : cpu) % 10);
  barefxt_thread_register(&known->thread, 0, barefxt_koid_new(), name, 0);
}

static struct known* no_place(void) {
  if (places[0].thread.koid == 0)
    barefxt_thread_register(&places[0].thread, process, barefxt_koid_new(), "(more threads)", 1);
  return &places[0];
}

/* With thread_lock, as are those that follow unless they say otherwise. */
static struct known* known(thread_t* thread) {
  struct known* found = find(thread);
  if (found != NULL) return found;
  if (process == 0) {
    process = barefxt_koid_new();
    barefxt_process_register(process, "LK");
  }
  uint32_t place = 1;
  while (place <= BAREFXT_LK_THREADS && places[place].of != NULL) ++place;
  if (place > BAREFXT_LK_THREADS) return no_place();
  found = &places[place];
  found->priority = thread->priority;
  found->is_idle = is_idle(thread);
  found->awake_in = 0;
  found->waiting_in = 0;
  found->calls = WAIT_OTHER;
  if (found->is_idle)
    register_idle(found, thread_pinned_cpu(thread));
  else
    barefxt_thread_register(&found->thread, process, barefxt_koid_new(), thread->name,
                            shown_priority(thread->priority));
  uint32_t* const bucket = bucket_of(thread);
  __atomic_store_n(&found->next, *bucket, __ATOMIC_RELAXED);
  __atomic_store_n(&found->of, thread, __ATOMIC_RELEASE);
  __atomic_store_n(bucket, place, __ATOMIC_RELEASE);
  return found;
}

static void forget(struct known* gone) {
  uint32_t* link = bucket_of(gone->of);
  while (&places[*link] != gone) link = &places[*link].next;
  __atomic_store_n(link, gone->next, __ATOMIC_RELAXED);
  __atomic_store_n(&gone->of, NULL, __ATOMIC_RELAXED);
  barefxt_thread_unregister(&gone->thread);
}

/* Also without the lock, of a thread that is known. */
static void wake_known(struct known* who) {
  const uint32_t session = barefxt_session_number();
  if (who->awake_in == session) return;
  who->awake_in = session;
  barefxt_thread_wakeup(&who->thread);
}

static void wake(thread_t* thread) { wake_known(known(thread)); }

/* ---- What threads wait for. Objects have neither an id nor a name. ---- */

struct object {
  const void* address;
  uint32_t kind;
  uint32_t koid;
};
static struct object objects[BAREFXT_LK_OBJECTS];

static barefxt_text wait_name(uint32_t kind) {
  switch (kind) {
    case WAIT_MUTEX:
      return BAREFXT_TEXT("mutex wait");
    case WAIT_SEMAPHORE:
      return BAREFXT_TEXT("semaphore wait");
    case WAIT_EVENT:
      return BAREFXT_TEXT("event wait");
    case WAIT_PORT:
      return BAREFXT_TEXT("port wait");
    case WAIT_THREAD:
      return BAREFXT_TEXT("thread join");
    default:
      return BAREFXT_TEXT("wait");
  }
}

/* Its kind, and the lowest 32 bits of the address. */
static void name_object(const struct object* object) {
  static const char* const kinds[] = {"wait@", "mutex@", "sem@", "event@", "port@"};
  char name[16];
  uint32_t at = 0;
  for (const char* kind = kinds[object->kind]; *kind != 0; ++kind) name[at++] = *kind;
  const uint32_t address = (uint32_t)(uintptr_t)object->address;
  for (int shift = 28; shift >= 0; shift -= 4)
    name[at++] = "0123456789abcdef"[(address >> shift) & 15];
  name[at] = 0;
  barefxt_object_register(
      object->koid, object->kind == WAIT_PORT ? BAREFXT_OBJECT_QUEUE : BAREFXT_OBJECT_EVENT, name);
}

static uint32_t koid_of(const wait_queue_t* queue, uint32_t kind) {
  static uint32_t oldest;
  if (kind == WAIT_THREAD)
    return (uint32_t)known(containerof(queue, thread_t, retcode_wait_queue))->thread.koid;
  struct object* found = NULL;
  for (uint32_t i = 0; i < BAREFXT_LK_OBJECTS && found == NULL; ++i)
    if (objects[i].address == queue) found = &objects[i];
  if (found != NULL && found->kind == kind) return found->koid;
  if (found == NULL) found = &objects[oldest++ % BAREFXT_LK_OBJECTS];
  if (found->koid != 0) barefxt_object_unregister(found->koid);
  *found = (struct object){queue, kind, barefxt_koid_new()};
  name_object(found);
  return found->koid;
}

/* Before the switch away, so that the event is the waiting thread's. */
static void begin_wait(const thread_t* thread, struct known* who) {
  who->waiting_in = barefxt_session_number();
  who->kind = who->calls;
  who->wait_begin = barefxt_ticks();
  who->object =
      thread->blocking_wait_queue == NULL ? 0 : koid_of(thread->blocking_wait_queue, who->kind);
  const barefxt_argument arguments[] = {
      barefxt_arg_text(BAREFXT_TEXT("in"), wait_name(who->kind)),
      barefxt_arg_koid(BAREFXT_TEXT("object"), who->object),
  };
  barefxt_event(BAREFXT_EVENT_INSTANT, &who->thread, BAREFXT_TEXT("lk"), BAREFXT_TEXT("blocks"), 0,
                arguments, who->object != 0 ? 2 : 1);
}

/* When it runs again. */
static void end_wait(const thread_t* thread, struct known* who) {
  const bool is_of_now = who->waiting_in == barefxt_session_number();
  who->waiting_in = 0;
  if (!is_of_now || !BAREFXT_ENABLED(lk)) return;
  barefxt_argument arguments[2];
  uint32_t count = 0;
  if (who->object != 0) arguments[count++] = barefxt_arg_koid(BAREFXT_TEXT("object"), who->object);
  if (thread->wait_queue_block_ret < 0)
    arguments[count++] = barefxt_arg_bool(BAREFXT_TEXT("failed"), true);
  barefxt_event(BAREFXT_EVENT_DURATION_COMPLETE, &who->thread, BAREFXT_TEXT("lk"),
                wait_name(who->kind), who->wait_begin, arguments, count);
}

/* ---- What the event log is told ---- */

static barefxt_thread_state state_of(const thread_t* thread) {
  switch (thread->state) {
    case THREAD_BLOCKED:
    case THREAD_SLEEPING:
      return BAREFXT_STATE_BLOCKED;
    case THREAD_SUSPENDED:
      return BAREFXT_STATE_SUSPENDED;
    case THREAD_DEATH:
      return BAREFXT_STATE_DYING;
    default:
      return BAREFXT_STATE_RUNNABLE;
  }
}

/* Who waits for a thread's end has just been woken, by no function that others call. */
static void wake_joining(const struct known* gone) {
  for (uint32_t place = 1; place <= BAREFXT_LK_THREADS; ++place) {
    struct known* const who = &places[place];
    if (who->of != NULL && who->waiting_in == barefxt_session_number() &&
        who->kind == WAIT_THREAD && who->object == gone->thread.koid)
      wake_known(who);
  }
}

static void switched(thread_t* from, thread_t* to) {
  barefxt_clear_exclusive();
  const bool is_over = from->state == THREAD_DEATH;
  if (!BAREFXT_ENABLED(sched) && !(is_over && find(from) != NULL)) return;
  struct known* const out = known(from);
  struct known* const in = known(to);
  if (in->priority != to->priority && in != places && !in->is_idle) {
    in->priority = to->priority;
    barefxt_thread_set_priority(&in->thread, shown_priority(to->priority));
  }
  const barefxt_thread_state state = state_of(from);
  if (is_over) wake_joining(out);
  if (out != places) {
    if (state != BAREFXT_STATE_RUNNABLE) out->awake_in = 0;
    if (from->state == THREAD_BLOCKED && BAREFXT_ENABLED(lk)) begin_wait(from, out);
  }
  in->awake_in = barefxt_session_number();
  barefxt_context_switch(&out->thread, state, &in->thread);
  if (in->waiting_in != 0) end_wait(to, in);
  if (out == places) return;
  /* The thread that booted becomes an idle one: from here on it is another. */
  if (is_over || out->is_idle != is_idle(from)) forget(out);
}

/* The kernel wakes who sleeps, or has waited long enough, from a timer with the thread as its
 * argument, which may be anything, with other callbacks. */
static void timer_fires(timer_callback callback, void* argument) {
  barefxt_clock_tick();
  if (BAREFXT_ENABLED(sched)) {
    struct known* const who = find((const thread_t*)argument);
    if (who != NULL) {
      const enum thread_state state = ((const thread_t*)argument)->state;
      if (state == THREAD_SLEEPING || (state == THREAD_BLOCKED && callback == wait_timeout))
        wake_known(who);
    }
  }
  BAREFXT_INSTANT(lk, "timer", BAREFXT_ARG_POINTER("callback", (const void*)(uintptr_t)callback));
}

static void interrupt_enters(uint32_t number) {
  barefxt_clock_tick();
  if (!BAREFXT_ENABLED(irq)) return;
#ifdef BAREFXT_LK_TIMER_INTERRUPT
  if (number == BAREFXT_LK_TIMER_INTERRUPT)
    return barefxt_interrupt_enter(number, BAREFXT_TEXT("tick"));
#endif
  barefxt_interrupt_enter(number, BAREFXT_TEXT("interrupt"));
}

void __wrap_kernel_evlog_add(uintptr_t id, uintptr_t first_argument, uintptr_t second_argument);
void __wrap_kernel_evlog_add(uintptr_t id, uintptr_t first_argument, uintptr_t second_argument) {
  switch (id) {
    case KERNEL_EVLOG_CONTEXT_SWITCH:
      switched((thread_t*)first_argument, (thread_t*)second_argument);
      break;
    case KERNEL_EVLOG_TIMER_CALL:
      timer_fires((timer_callback)first_argument, (void*)second_argument);
      break;
    case KERNEL_EVLOG_IRQ_ENTER:
      interrupt_enters((uint32_t)first_argument);
      break;
    case KERNEL_EVLOG_IRQ_EXIT:
      if (BAREFXT_ENABLED(irq)) barefxt_interrupt_exit((uint32_t)first_argument);
      break;
  }
}

/* ---- Wakeups, ahead of what the function does: it may switch at once ---- */

/* WRAP(type, name, parameters): declares the kernel's function and what is called in its place. */
#define WRAP(type, name, ...)      \
  type __real_##name(__VA_ARGS__); \
  type __wrap_##name(__VA_ARGS__); \
  type __wrap_##name(__VA_ARGS__)

WRAP(int, wait_queue_wake_one, wait_queue_t* wait, bool reschedule, status_t error) {
  if (BAREFXT_ENABLED(sched)) {
    thread_t* const thread = list_peek_head_type(&wait->list, thread_t, queue_node);
    if (thread != NULL) wake(thread);
  }
  return __real_wait_queue_wake_one(wait, reschedule, error);
}

WRAP(int, wait_queue_wake_all, wait_queue_t* wait, bool reschedule, status_t error) {
  if (BAREFXT_ENABLED(sched)) {
    thread_t* thread;
    list_for_every_entry(&wait->list, thread, thread_t, queue_node) wake(thread);
  }
  return __real_wait_queue_wake_all(wait, reschedule, error);
}

WRAP(status_t, thread_unblock_from_wait_queue, thread_t* thread, status_t error) {
  if (BAREFXT_ENABLED(sched) && thread->state == THREAD_BLOCKED) wake(thread);
  return __real_thread_unblock_from_wait_queue(thread, error);
}

WRAP(void, thread_unblock, thread_t* thread, bool reschedule) {
  if (BAREFXT_ENABLED(sched)) wake(thread);
  __real_thread_unblock(thread, reschedule);
}

/* These take the lock themselves. */
static void wake_suspended(thread_t* thread) {
  if (!BAREFXT_ENABLED(sched)) return;
  THREAD_LOCK(saved);
  if (thread->state == THREAD_SUSPENDED) wake(thread);
  THREAD_UNLOCK(saved);
}

WRAP(status_t, thread_resume, thread_t* thread) {
  wake_suspended(thread);
  return __real_thread_resume(thread);
}

WRAP(status_t, thread_detach_and_resume, thread_t* thread) {
  wake_suspended(thread);
  return __real_thread_detach_and_resume(thread);
}

/* The callback is the kernel's own where a thread has blocked and still runs. */
WRAP(void, timer_set_oneshot, timer_t* timer, lk_time_t delay, timer_callback callback,
     void* argument) {
  if (argument == get_current_thread() && get_current_thread()->state == THREAD_BLOCKED)
    wait_timeout = callback;
  __real_timer_set_oneshot(timer, delay, callback, argument);
}

/* ---- Names, and what a thread is about to wait for ---- */

WRAP(void, thread_set_name, const char* name) {
  __real_thread_set_name(name);
  struct known* const who = find(get_current_thread());
  if (who != NULL && !who->is_idle) barefxt_thread_rename(&who->thread, get_current_thread()->name);
}

static void begin_call(uint32_t kind) {
  struct known* who = find(get_current_thread());
  if (who == NULL) {
    THREAD_LOCK(saved);
    who = known(get_current_thread());
    THREAD_UNLOCK(saved);
  }
  if (who != places) who->calls = kind;
}

static void end_call(void) {
  struct known* const who = find(get_current_thread());
  if (who != NULL) who->calls = WAIT_OTHER;
}

/* WAITS(kind, name, (parameters), (arguments)): a function of the kernel that may wait. */
#define WAITS(kind, name, parameters, arguments)              \
  status_t __real_##name parameters;                          \
  status_t __wrap_##name parameters;                          \
  status_t __wrap_##name parameters {                         \
    if (!BAREFXT_ENABLED(lk)) return __real_##name arguments; \
    begin_call(kind);                                         \
    const status_t status = __real_##name arguments;          \
    end_call();                                               \
    return status;                                            \
  }

WAITS(WAIT_MUTEX, mutex_acquire_timeout, (mutex_t * mutex, lk_time_t timeout), (mutex, timeout))
WAITS(WAIT_SEMAPHORE, sem_wait, (semaphore_t * semaphore), (semaphore))
WAITS(WAIT_SEMAPHORE, sem_timedwait, (semaphore_t * semaphore, lk_time_t timeout),
      (semaphore, timeout))
WAITS(WAIT_EVENT, event_wait_timeout, (event_t * event, lk_time_t timeout), (event, timeout))
WAITS(WAIT_PORT, port_read, (port_t port, lk_time_t timeout, port_result_t* result),
      (port, timeout, result))
WAITS(WAIT_THREAD, thread_join, (thread_t * thread, int* code, lk_time_t timeout),
      (thread, code, timeout))

#endif
