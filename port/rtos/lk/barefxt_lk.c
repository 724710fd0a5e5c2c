/* Handlers of LK's event log, and of its functions whose calls the linker leads here first.
 *
 * A thread_t has no room for a tracer: see barefxt_known.h. The lock is the kernel's thread_lock,
 * which is held at switches and wakeups, and taken here elsewhere.
 */
#include "barefxt_lk.h"

#if !BAREFXT_DISABLED

#include <arch/atomic.h>
#include <kernel/debug.h>
#include <kernel/event.h>
#include <kernel/mutex.h>
#include <kernel/port.h>
#include <kernel/semaphore.h>
#include <kernel/thread.h>
#include <kernel/timer.h>

/* Threads that exist at one time, 64 bytes each or fewer. Others are shown as one, "(more
 * threads)". */
#ifndef BAREFXT_LK_THREADS
#define BAREFXT_LK_THREADS 64
#endif

/* Objects whose ids are remembered; the oldest makes room. 12 to 16 bytes each. */
#ifndef BAREFXT_LK_OBJECTS
#define BAREFXT_LK_OBJECTS 32
#endif

/* 1: marks of the threads' stacks, by barefxt_lk_scan_stacks. */
#ifndef BAREFXT_LK_STACKS
#define BAREFXT_LK_STACKS 0
#endif
#if BAREFXT_LK_STACKS && (!defined(THREAD_STACK_HIGHWATER) || !THREAD_STACK_HIGHWATER)
#error "barefxt: BAREFXT_LK_STACKS needs THREAD_STACK_HIGHWATER 1"
#endif

/* 1: each tick counts in a counter of its CPU's. Floods the trace. */
#ifndef BAREFXT_LK_TICKS
#define BAREFXT_LK_TICKS 0
#endif

/* 1: barefxt_lk_sample, for a timer's interrupt. N, from 2 on: a sample at every N-th tick, too. */
#ifndef BAREFXT_LK_SAMPLES
#define BAREFXT_LK_SAMPLES 0
#endif

#if defined(WITH_SMP) && WITH_SMP
#define KERNEL_CORES SMP_MAX_CPUS
#else
#define KERNEL_CORES 1
#endif
#include "../common/barefxt_cores.h"

#define KNOWN_THREADS BAREFXT_LK_THREADS
#define KNOWN_OBJECTS BAREFXT_LK_OBJECTS
#define KNOWN_STACKS BAREFXT_LK_STACKS
#define SAMPLES BAREFXT_LK_SAMPLES
#define SAMPLE barefxt_lk_sample
#if SAMPLES > 1 && !defined(BAREFXT_INTERRUPTED) && defined(__ARM_ARCH_PROFILE) && \
    __ARM_ARCH_PROFILE == 'M'
#error \
    "barefxt: threads run on MSP, and no register has the interrupted one. Hint: BAREFXT_LK_SAMPLES=1"
#endif
#include "../common/barefxt_known.h"
#include "../common/barefxt_tick.h"

enum wait_kind { WAIT_OTHER, WAIT_MUTEX, WAIT_SEMAPHORE, WAIT_EVENT, WAIT_PORT, WAIT_THREAD };

/* The kernel has two timers that wake a thread; this is the one of waits with a timeout. */
static timer_callback wait_timeout;

/* ---- Threads, with thread_lock ---- */

static bool is_idle(const thread_t* thread) { return (thread->flags & THREAD_FLAG_IDLE) != 0; }

/* The format takes priority 0 for an idle CPU, LK for its lowest thread. */
static uint8_t shown_priority(int priority) {
  return priority < 0 ? 1 : (uint8_t)(priority < 254 ? priority + 1 : 255);
}

static struct known* known(thread_t* thread) {
  struct known* const found = known_find(thread);
  if (found != NULL) return found;
  struct known* const who = is_idle(thread)
                                ? known_new_idle("LK", thread, (uint32_t)thread_pinned_cpu(thread))
                                : known_new("LK", thread, thread->name, thread->priority,
                                            shown_priority(thread->priority));
#if BAREFXT_LK_STACKS
  known_stack(who, thread->stack, thread->stack_size, 0x99999999u);
#endif
  return who;
}

#if BAREFXT_LK_STACKS
void barefxt_lk_scan_stacks(void) {
  THREAD_LOCK(state);
  known_scan_stacks();
  THREAD_UNLOCK(state);
}
#endif

static void wake(thread_t* thread) { known_wake(known(thread)); }

/* ---- Objects that threads wait for ---- */

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

static uint32_t koid_of(const wait_queue_t* queue, uint32_t kind) {
  static const char* const kinds[] = {"wait@", "mutex@", "sem@", "event@", "port@"};
  if (queue == NULL) return 0;
  if (kind == WAIT_THREAD)
    return (uint32_t)known(containerof(queue, thread_t, retcode_wait_queue))->thread.koid;
  return known_object(queue, kind, kind == WAIT_PORT ? BAREFXT_OBJECT_QUEUE : BAREFXT_OBJECT_EVENT,
                      kinds[kind]);
}

/* As the kernel has it, with thread_lock. */
static uint32_t holder_of(wait_queue_t* queue, uint32_t kind) {
  if (kind != WAIT_MUTEX || queue == NULL) return 0;
  return known_holder(containerof(queue, mutex_t, wait)->holder);
}

static void begin_wait(const thread_t* thread, struct known* who) {
  wait_queue_t* const queue = thread->blocking_wait_queue;
  known_begin_wait(who, BAREFXT_TEXT("lk"), who->calls, wait_name(who->calls),
                   koid_of(queue, who->calls), holder_of(queue, who->calls));
}

static void end_wait(const thread_t* thread, struct known* who) {
  if (known_has_waited(who) && BAREFXT_ENABLED(lk))
    known_end_wait(who, BAREFXT_TEXT("lk"), wait_name(who->kind), thread->wait_queue_block_ret < 0);
}

/* ---- Entries of the event log ---- */

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

/* Threads that wait for this one's end have just been woken, by no function that others call. */
static void wake_joining(const struct known* gone) {
  for (uint32_t place = 1; place <= KNOWN_THREADS; ++place) {
    struct known* const who = &known_places[place];
    if (who->of != NULL && who->waiting_in == barefxt_session_number() &&
        who->kind == WAIT_THREAD && who->object == gone->thread.koid)
      known_wake(who);
  }
}

static void switched(thread_t* from, thread_t* to) {
  barefxt_clear_exclusive();
  const bool is_over = from->state == THREAD_DEATH;
  if (!BAREFXT_ENABLED(sched) && !(is_over && known_find(from) != NULL)) {
    barefxt_switch_unrecorded();
    return;
  }
  struct known* const out = known(from);
  struct known* const in = known(to);
  if (in->priority != to->priority && known_has_place(in) && !in->is_idle) {
    in->priority = to->priority;
    barefxt_thread_set_priority(&in->thread, shown_priority(to->priority));
  }
  const barefxt_thread_state state = state_of(from);
  if (is_over && known_has_place(out)) wake_joining(out);
  if (known_has_place(out)) {
    if (state != BAREFXT_STATE_RUNNABLE) out->awake_in = 0;
    if (from->state == THREAD_BLOCKED && BAREFXT_ENABLED(lk)) begin_wait(from, out);
  }
  in->awake_in = barefxt_session_number();
  barefxt_context_switch(&out->thread, state, &in->thread);
  if (in->waiting_in != 0) end_wait(to, in);
  /* The thread that booted becomes an idle one: from here on it is another. */
  if (is_over || out->is_idle != is_idle(from)) known_forget(out);
}

/* The kernel wakes threads that sleep, or have waited long enough, from a timer with the thread as
 * its argument. With other callbacks that argument may be anything. */
static void timer_fires(timer_callback callback, void* argument) {
  barefxt_clock_tick();
  if (BAREFXT_ENABLED(sched)) {
    struct known* const who = known_find((const thread_t*)argument);
    if (who != NULL) {
      const enum thread_state state = ((const thread_t*)argument)->state;
      if (state == THREAD_SLEEPING || (state == THREAD_BLOCKED && callback == wait_timeout))
        known_wake(who);
    }
  }
  BAREFXT_INSTANT(lk, "timer", BAREFXT_ARG_POINTER("callback", (const void*)(uintptr_t)callback));
}

#if BAREFXT_LK_SAMPLES
void barefxt_lk_sample(barefxt_interrupted at) {
  const thread_t* const thread = get_current_thread();
  /* None before the kernel's start. */
  sample_within(at, thread ? thread->stack : NULL, thread ? thread->stack_size : 0);
}
#endif

static void interrupt_enters(uint32_t number) {
  barefxt_clock_tick();
#ifdef BAREFXT_LK_TIMER_INTERRUPT
  if (number == BAREFXT_LK_TIMER_INTERRUPT)
    return tick_enters(number, BAREFXT_LK_TICKS && BAREFXT_ENABLED(lk), BAREFXT_TEXT("lk"));
#endif
  if (BAREFXT_ENABLED(irq)) barefxt_interrupt_enter(number, BAREFXT_TEXT("interrupt"));
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

/* The callback is the kernel's own if a thread has blocked and still runs. */
WRAP(void, timer_set_oneshot, timer_t* timer, lk_time_t delay, timer_callback callback,
     void* argument) {
  if (argument == get_current_thread() && get_current_thread()->state == THREAD_BLOCKED)
    wait_timeout = callback;
  __real_timer_set_oneshot(timer, delay, callback, argument);
}

/* ---- Names, and what a thread is about to wait for ---- */

WRAP(void, thread_set_name, const char* name) {
  __real_thread_set_name(name);
  struct known* const who = known_find(get_current_thread());
  if (who != NULL && !who->is_idle) barefxt_thread_rename(&who->thread, get_current_thread()->name);
}

static void begin_call(uint32_t kind) {
  struct known* who = known_find(get_current_thread());
  if (who == NULL) {
    THREAD_LOCK(saved);
    who = known(get_current_thread());
    THREAD_UNLOCK(saved);
  }
  if (known_has_place(who)) who->calls = (uint8_t)kind;
}

static void end_call(void) {
  struct known* const who = known_find(get_current_thread());
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

/* ---- The heap. Its free hook does not pass the size of the block. ---- */

/* Blocks in use, since boot. */
static void blocks_change(int by) {
  static volatile int blocks;
  const int before = atomic_add(&blocks, by);
  BAREFXT_COUNTER(lk_heap, "heap", 0, BAREFXT_ARG_I32("blocks", before + by));
}

static void* allocated(void* block, size_t bytes, const void* caller) {
  barefxt_heap_alloc(block, bytes, caller);
  if (block != NULL)
    blocks_change(1);
  else
    BAREFXT_INSTANT(lk_heap, "no memory", BAREFXT_ARG_U64("bytes", bytes));
  return block;
}

static void about_to_be_freed(void* block, const void* caller) {
  barefxt_heap_free(block, caller);
  if (block != NULL) blocks_change(-1);
}

WRAP(void*, malloc, size_t bytes) {
  return allocated(__real_malloc(bytes), bytes, __builtin_return_address(0));
}

WRAP(void*, calloc, size_t count, size_t bytes) {
  return allocated(__real_calloc(count, bytes), count * bytes, __builtin_return_address(0));
}

WRAP(void*, memalign, size_t boundary, size_t bytes) {
  return allocated(__real_memalign(boundary, bytes), bytes, __builtin_return_address(0));
}

/* Changes only the size of an existing block, unless the size becomes 0 and it is freed. */
WRAP(void*, realloc, void* block, size_t bytes) {
  const void* const caller = __builtin_return_address(0);
  if (block == NULL) return allocated(__real_realloc(block, bytes), bytes, caller);
  /* Ahead of the call: another thread may get its memory at once. */
  barefxt_heap_free(block, caller);
  void* const changed = __real_realloc(block, bytes);
  if (changed != NULL || bytes != 0) barefxt_heap_alloc(changed, bytes, caller);
  /* It stays as it is, of a size that only the heap knows. */
  if (changed == NULL && bytes != 0) barefxt_heap_alloc(block, 0, caller);
  if (changed == NULL && bytes == 0) blocks_change(-1);
  return changed;
}

WRAP(void, free, void* block) {
  about_to_be_freed(block, __builtin_return_address(0));
  __real_free(block);
}

WRAP(void, heap_delayed_free, void* block) {
  about_to_be_freed(block, __builtin_return_address(0));
  __real_heap_delayed_free(block);
}

#endif
