/* The functions that Zephyr's tracing subsystem calls with CONFIG_TRACING_USER: each of these is
 * weak there.
 *
 * A k_thread has no room for a tracer: see barefxt_known.h. Switches come with interrupts off, in
 * halves that name no thread: the kernel's current thread is the one that runs, in both. Other
 * hooks come from anywhere, so the tables have a lock of the hooks' own, which is held with
 * interrupts off and for no longer than a table is changed.
 */
#include "barefxt_zephyr.h"

#if !BAREFXT_DISABLED

#include <zephyr/kernel.h>
#include <zephyr/kernel_structs.h>

#include <barefxt_port.h>

#ifdef CONFIG_BAREFXT_HEAP
#include "barefxt_zephyr_heap.h"
#endif

/* Threads that exist at one time, 64 bytes each or fewer. Others are shown as one, "(more
 * threads)". */
#ifndef BAREFXT_ZEPHYR_THREADS
#define BAREFXT_ZEPHYR_THREADS 32
#endif

/* Objects whose ids are remembered; the oldest makes room. 12 to 16 bytes each. */
#ifndef BAREFXT_ZEPHYR_OBJECTS
#define BAREFXT_ZEPHYR_OBJECTS 32
#endif

/* The number of the interrupt that runs. If it is always 0, an exit belongs to the last interrupt
 * that was entered. */
#ifndef BAREFXT_ZEPHYR_INTERRUPT
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
static inline uint32_t barefxt_zephyr_ipsr(void) {
  uint32_t number;
  __asm__ volatile("mrs %0, ipsr" : "=r"(number));
  return number;
}
#define BAREFXT_ZEPHYR_INTERRUPT() barefxt_zephyr_ipsr()
#define BAREFXT_ZEPHYR_TICK_INTERRUPT 15
#elif defined(CONFIG_RISCV)
/* mcause has it until an exception in the handler. */
static inline uint32_t barefxt_zephyr_mcause(void) {
  if (_kernel.cpus[barefxt_port_cpu() & (BAREFXT_MAX_CPUS - 1)].nested == 0) return 0;
  intptr_t cause;
  __asm__ volatile("csrr %0, mcause" : "=r"(cause));
  return cause < 0 ? (uint32_t)cause & 1023 : 0;
}
#define BAREFXT_ZEPHYR_INTERRUPT() barefxt_zephyr_mcause()
#define BAREFXT_ZEPHYR_TICK_INTERRUPT 7 /* the machine's timer */
#else
#define BAREFXT_ZEPHYR_INTERRUPT() 0
#endif
#endif

/* 1: marks of the threads' stacks, by scans from idle threads. */
#ifndef BAREFXT_ZEPHYR_STACKS
#define BAREFXT_ZEPHYR_STACKS 0
#endif

/* 1: each tick counts in a counter of its CPU's. Floods the trace. */
#ifndef BAREFXT_ZEPHYR_TICKS
#define BAREFXT_ZEPHYR_TICKS 0
#endif

#if BAREFXT_ZEPHYR_STACKS && (!defined(CONFIG_INIT_STACKS) || !defined(CONFIG_THREAD_STACK_INFO))
#error "barefxt: BAREFXT_ZEPHYR_STACKS needs CONFIG_INIT_STACKS and CONFIG_THREAD_STACK_INFO"
#endif

/* 1: barefxt_zephyr_sample, for a timer's interrupt. N, from 2 on: a sample at every N-th tick,
 * too. */
#ifndef BAREFXT_ZEPHYR_SAMPLES
#define BAREFXT_ZEPHYR_SAMPLES 0
#endif
#if BAREFXT_ZEPHYR_SAMPLES && !defined(CONFIG_THREAD_STACK_INFO)
#error "barefxt: BAREFXT_ZEPHYR_SAMPLES needs CONFIG_THREAD_STACK_INFO"
#endif

#ifdef CONFIG_MP_MAX_NUM_CPUS
#define KERNEL_CORES CONFIG_MP_MAX_NUM_CPUS
#elif defined(CONFIG_MP_NUM_CPUS) /* up to 3.2 */
#define KERNEL_CORES CONFIG_MP_NUM_CPUS
#else
#define KERNEL_CORES 1
#endif
#include "../common/barefxt_hook_lock.h"

#define KNOWN_THREADS BAREFXT_ZEPHYR_THREADS
#define KNOWN_OBJECTS BAREFXT_ZEPHYR_OBJECTS
#define KNOWN_STACKS BAREFXT_ZEPHYR_STACKS
#define SAMPLES BAREFXT_ZEPHYR_SAMPLES
#define SAMPLE barefxt_zephyr_sample
#define KNOWN_INTERRUPT() BAREFXT_ZEPHYR_INTERRUPT()
#include "../common/barefxt_known.h"
#include "../common/barefxt_object_event.h"
#include "../common/barefxt_tick.h"

/* Older kernels pass arguments to these hooks. */
#ifdef BAREFXT_ZEPHYR_SWITCHED_THREAD
#define SWITCHED __attribute__((unused)) struct k_thread* switched
#else
#define SWITCHED void
#endif
#ifdef BAREFXT_ZEPHYR_NESTED_INTERRUPTS
#define NESTED __attribute__((unused)) int nested
#else
#define NESTED void
#endif

#ifdef BAREFXT_ZEPHYR_CPU_H
/* Never called: defines absolute symbols for barefxt_zephyr_cpu.h. */
__attribute__((used)) static void distances(void) {
  __asm__ volatile(
      ".globl barefxt_zephyr_tss_cpu, barefxt_zephyr_cpu_id\n"
      "barefxt_zephyr_tss_cpu = %c0\nbarefxt_zephyr_cpu_id = %c1"
      :
      : "i"(offsetof(x86_tss64_t, cpu)), "i"(offsetof(struct _cpu, id)));
}
#endif

enum wait_kind {
  WAIT_NONE,
  WAIT_SEMAPHORE,
  WAIT_MUTEX,
  WAIT_QUEUE,
  WAIT_EVENT,
  WAIT_CONDITION,
  WAIT_SLAB,
  WAIT_MAILBOX,
  WAIT_THREAD
};

/* By CPU: the thread that came in last, and the one that leaves for good, until the next comes
 * in. */
static struct {
  struct known* running;
  struct known* over;
} cpus[BAREFXT_MAX_CPUS];

/* ---- Threads ---- */

/* Also for places at which k_current_get is not allowed, such as the middle of a switch. */
#ifndef BAREFXT_ZEPHYR_CURRENT
#define BAREFXT_ZEPHYR_CURRENT k_sched_current_thread_query()
#endif
static struct k_thread* current_thread(void) { return BAREFXT_ZEPHYR_CURRENT; }

/* As of this CPU's switch, with interrupts off. */
static struct k_thread* switching_thread(uint32_t cpu) {
  return _kernel.cpus[KERNEL_CORES > 1 ? cpu : 0].current;
}

static bool is_running(const struct k_thread* thread) {
  for (uint32_t cpu = 0; cpu < KERNEL_CORES; ++cpu)
    if (_kernel.cpus[cpu].current == thread) return true;
  return false;
}

/* A dummy thread runs until the kernel has a thread to run. */
static bool is_thread(const struct k_thread* thread) {
  return thread != NULL && (thread->base.thread_state & _THREAD_DUMMY) == 0;
}

/* The kernel's priorities: the lower the sooner, below 0 cooperative, and the last one idle. That
 * of viewers is 255 at most, and 0 is idle. */
static uint8_t shown_priority(int priority) {
  const int shown = K_IDLE_PRIO - priority;
  return shown < 1 ? 1 : (uint8_t)(shown <= 255 ? shown : 255);
}

static bool is_idle(const struct k_thread* thread) { return thread->base.prio == K_IDLE_PRIO; }

static const char* name_of(struct k_thread* thread) {
  const char* const name = k_thread_name_get(thread);
  return name != NULL && *name != 0 ? name : "(no name)";
}

#if BAREFXT_ZEPHYR_STACKS
/* The sentinel's word is not painted. */
static void know_stack(struct known* who, const struct k_thread* thread) {
#ifdef CONFIG_STACK_SENTINEL
  const size_t guard = 4;
#else
  const size_t guard = 0;
#endif
  if (thread->stack_info.start != 0)
    known_stack(who, (const void*)(thread->stack_info.start + guard),
                thread->stack_info.size - guard, 0xaaaaaaaau);
}

/* The kernel's hook in each idle thread. */
#ifdef BAREFXT_ZEPHYR_FORMAT
#ifdef CONFIG_CPU_LOAD
#include <zephyr/debug/cpu_load.h>
#endif
static void sys_trace_idle_user(void);
/* Takes the place of the kernel's, which counts the load. */
void sys_trace_idle(void);
void sys_trace_idle(void) {
  sys_trace_idle_user();
#ifdef CONFIG_CPU_LOAD
  cpu_load_on_enter_idle();
#endif
}
#else
void sys_trace_idle_user(void);
#endif
void sys_trace_idle_user(void) {
  const uintptr_t interrupts = lock();
  known_scan_stacks();
  unlock(interrupts);
}
#endif

/* An idle thread is one CPU's, and first seen there. */
static struct known* known(struct k_thread* thread) {
  struct known* who = known_find(thread);
  if (who != NULL) return who;
  const uintptr_t interrupts = lock();
  who = known_find(thread);
  const bool is_new = who == NULL;
  if (is_new && is_idle(thread)) {
    who = known_new_idle("Zephyr", thread, this_cpu_number());
    who->priority = thread->base.prio;
  } else if (is_new) {
    who = known_new("Zephyr", thread, name_of(thread), thread->base.prio,
                    shown_priority(thread->base.prio));
  }
#if BAREFXT_ZEPHYR_STACKS
  if (is_new) know_stack(who, thread);
#endif
  unlock(interrupts);
  return who;
}

static void forget(struct known* gone) {
  const uintptr_t interrupts = lock();
  known_forget(gone);
  unlock(interrupts);
}

/* `name` is the number of an interned string. */
static void record(uint32_t name, struct k_thread* thread) {
  if (!BAREFXT_ENABLED(zephyr)) return;
  koid_instant(BAREFXT_STRING("zephyr"), name, BAREFXT_STRING("thread"),
               (uint32_t)known(thread)->thread.koid);
}

/* ---- Objects that threads wait for ---- */

static barefxt_text wait_name(uint32_t kind) {
  switch (kind) {
    case WAIT_SEMAPHORE:
      return BAREFXT_TEXT("semaphore wait");
    case WAIT_MUTEX:
      return BAREFXT_TEXT("mutex wait");
    case WAIT_QUEUE:
      return BAREFXT_TEXT("message queue wait");
    case WAIT_EVENT:
      return BAREFXT_TEXT("event wait");
    case WAIT_CONDITION:
      return BAREFXT_TEXT("condition variable wait");
    case WAIT_SLAB:
      return BAREFXT_TEXT("memory slab wait");
    case WAIT_MAILBOX:
      return BAREFXT_TEXT("mailbox wait");
    default:
      return BAREFXT_TEXT("thread join wait");
  }
}

static uint32_t koid_of_object(const void* object, uint32_t kind) {
  static const char* const kinds[] = {"",       "sem@",   "mutex@", "msgq@",
                                      "event@", "condv@", "slab@",  "mbox@"};
  const bool is_queue = kind == WAIT_QUEUE || kind == WAIT_MAILBOX;
  const uintptr_t interrupts = lock();
  const uint32_t koid = known_object(
      object, kind, is_queue ? BAREFXT_OBJECT_QUEUE : BAREFXT_OBJECT_EVENT, kinds[kind]);
  unlock(interrupts);
  return koid;
}

static void begin_wait(const void* object, uint32_t kind) {
  struct k_thread* const thread = current_thread();
  if (!BAREFXT_ENABLED(zephyr) || !is_thread(thread)) return;
  struct known* const who = known(thread);
  if (!known_has_place(who)) return;
  const uint32_t koid = kind == WAIT_THREAD
                            ? (uint32_t)known((struct k_thread*)(uintptr_t)object)->thread.koid
                            : koid_of_object(object, kind);
  const uint32_t holder =
      kind == WAIT_MUTEX ? known_holder(((const struct k_mutex*)object)->owner) : 0;
  known_begin_wait(who, BAREFXT_TEXT("zephyr"), kind, wait_name(kind), koid, holder);
}

/* Calls that did not wait end here, too. */
static void end_wait(uint32_t kind, bool failed) {
  struct known* const who = known_find(current_thread());
  if (who == NULL || who->waiting_in == 0 || who->kind != kind) return;
  if (known_has_waited(who) && BAREFXT_ENABLED(zephyr))
    known_end_wait(who, BAREFXT_TEXT("zephyr"), wait_name(kind), failed);
}

#ifdef BAREFXT_ZEPHYR_WRAPS

/* Kernels without hooks of objects: the calls, led here by the linker. Whether one waits is looked
 * at ahead of it, without the kernel's lock: a wait that comes to nothing is a short one. */
#define WRAP(kind, may_wait, call, parameters, arguments) \
  int __real_z_impl_k_##call parameters;                  \
  int __wrap_z_impl_k_##call parameters;                  \
  int __wrap_z_impl_k_##call parameters {                 \
    const bool waits = (may_wait);                        \
    if (waits) begin_wait(object, kind);                  \
    const int status = __real_z_impl_k_##call arguments;  \
    if (waits) end_wait(kind, status != 0);               \
    return status;                                        \
  }
#define MAY_WAIT !K_TIMEOUT_EQ(time, K_NO_WAIT)

WRAP(WAIT_SEMAPHORE, MAY_WAIT && object->count == 0, sem_take,
     (struct k_sem * object, k_timeout_t time), (object, time))
WRAP(WAIT_MUTEX, MAY_WAIT && object->lock_count != 0 && object->owner != current_thread(),
     mutex_lock, (struct k_mutex * object, k_timeout_t time), (object, time))
WRAP(WAIT_QUEUE, MAY_WAIT && object->used_msgs == 0, msgq_get,
     (struct k_msgq * object, void* data, k_timeout_t time), (object, data, time))
WRAP(WAIT_QUEUE, MAY_WAIT && object->used_msgs == object->max_msgs, msgq_put,
     (struct k_msgq * object, const void* data, k_timeout_t time), (object, data, time))
WRAP(WAIT_CONDITION, true, condvar_wait,
     (struct k_condvar * object, struct k_mutex* mutex, k_timeout_t time), (object, mutex, time))

/* These kernels report no end of a thread to the user, neither an abort nor a return. With several
 * CPUs another one may switch to the thread or away from it meanwhile: its place is given back when
 * it leaves, or with the next thread in its block. */
void __real_z_impl_k_thread_abort(struct k_thread* thread);
void __wrap_z_impl_k_thread_abort(struct k_thread* thread);
void __wrap_z_impl_k_thread_abort(struct k_thread* thread) {
  const struct known* const gone = known_find(thread);
  const uint32_t koid = gone != NULL ? (uint32_t)gone->thread.koid : 0;
#ifdef CONFIG_BAREFXT_HEAP
  barefxt_zephyr_heap_forget(thread);
#endif
  if (gone != NULL) record(BAREFXT_STRING("thread aborted"), thread);
  __real_z_impl_k_thread_abort(thread);
  if (KERNEL_CORES > 1 || thread == current_thread()) return;
  struct known* const dead = known_find(thread);
  if (dead != NULL && (uint32_t)dead->thread.koid == koid) forget(dead);
}

#if defined(CONFIG_EVENTS)
#define WRAP_EVENT(call, came)                                                         \
  uint32_t __real_z_impl_k_##call(struct k_event*, uint32_t, bool, k_timeout_t);       \
  uint32_t __wrap_z_impl_k_##call(struct k_event*, uint32_t, bool, k_timeout_t);       \
  uint32_t __wrap_z_impl_k_##call(struct k_event* object, uint32_t events, bool reset, \
                                  k_timeout_t time) {                                  \
    const bool waits = MAY_WAIT && (reset || !(came));                                 \
    if (waits) begin_wait(object, WAIT_EVENT);                                         \
    const uint32_t found = __real_z_impl_k_##call(object, events, reset, time);        \
    if (waits) end_wait(WAIT_EVENT, found == 0);                                       \
    return found;                                                                      \
  }
WRAP_EVENT(event_wait, (object->events & events) != 0)
WRAP_EVENT(event_wait_all, (object->events & events) == events)
#endif

#else

/* BLOCKS(kind, type, call), and the end of it: hooks that newer kernels have. */
#define BLOCKS(kind, type, call)                                            \
  void sys_trace_k_##call##_blocking_user(type* object, k_timeout_t time);  \
  void sys_trace_k_##call##_blocking_user(type* object, k_timeout_t time) { \
    (void)time;                                                             \
    begin_wait(object, kind);                                               \
  }
#define ENDS(kind, type, call)                                                      \
  void sys_trace_k_##call##_exit_user(type* object, k_timeout_t time, int status);  \
  void sys_trace_k_##call##_exit_user(type* object, k_timeout_t time, int status) { \
    (void)object;                                                                   \
    (void)time;                                                                     \
    end_wait(kind, status != 0);                                                    \
  }

BLOCKS(WAIT_SEMAPHORE, struct k_sem, sem_take)
ENDS(WAIT_SEMAPHORE, struct k_sem, sem_take)
BLOCKS(WAIT_MUTEX, struct k_mutex, mutex_lock)
ENDS(WAIT_MUTEX, struct k_mutex, mutex_lock)
BLOCKS(WAIT_QUEUE, struct k_msgq, msgq_get)
ENDS(WAIT_QUEUE, struct k_msgq, msgq_get)
BLOCKS(WAIT_QUEUE, struct k_msgq, msgq_put)
ENDS(WAIT_QUEUE, struct k_msgq, msgq_put)
BLOCKS(WAIT_QUEUE, struct k_msgq, msgq_put_front)
ENDS(WAIT_QUEUE, struct k_msgq, msgq_put_front)
BLOCKS(WAIT_SLAB, struct k_mem_slab, mem_slab_alloc)
ENDS(WAIT_SLAB, struct k_mem_slab, mem_slab_alloc)
BLOCKS(WAIT_MAILBOX, struct k_mbox, mbox_get)
ENDS(WAIT_MAILBOX, struct k_mbox, mbox_get)
BLOCKS(WAIT_MAILBOX, struct k_mbox, mbox_message_put)
ENDS(WAIT_MAILBOX, struct k_mbox, mbox_message_put)
BLOCKS(WAIT_THREAD, struct k_thread, thread_join)
ENDS(WAIT_THREAD, struct k_thread, thread_join)

/* Always waits, and takes its mutex again before it ends. */
void sys_trace_k_condvar_wait_enter_user(struct k_condvar* object, k_timeout_t time);
void sys_trace_k_condvar_wait_enter_user(struct k_condvar* object, k_timeout_t time) {
  (void)time;
  begin_wait(object, WAIT_CONDITION);
}
ENDS(WAIT_CONDITION, struct k_condvar, condvar_wait)

void sys_trace_k_event_wait_blocking_user(struct k_event* event, uint32_t events, uint32_t options,
                                          k_timeout_t time);
void sys_trace_k_event_wait_blocking_user(struct k_event* event, uint32_t events, uint32_t options,
                                          k_timeout_t time) {
  (void)events;
  (void)options;
  (void)time;
  begin_wait(event, WAIT_EVENT);
}
/* Which events came: none after a timeout. */
void sys_trace_k_event_wait_exit_user(struct k_event* event, uint32_t events, int came);
void sys_trace_k_event_wait_exit_user(struct k_event* event, uint32_t events, int came) {
  (void)event;
  (void)events;
  end_wait(WAIT_EVENT, came == 0);
}

#endif

/* ---- Threads' lives ---- */

void sys_trace_thread_create_user(struct k_thread* thread);
void sys_trace_thread_create_user(struct k_thread* thread) {
  /* A former thread at this address is gone. */
  struct known* const gone = known_find(thread);
  if (gone != NULL) forget(gone);
  if (!BAREFXT_ENABLED(zephyr)) return;
  created_instant(BAREFXT_STRING("zephyr"), BAREFXT_STRING("thread created"),
                  BAREFXT_STRING("thread"), (uint32_t)known(thread)->thread.koid, thread);
}

void sys_trace_thread_abort_user(struct k_thread* thread);
void sys_trace_thread_abort_user(struct k_thread* thread) {
#ifdef CONFIG_BAREFXT_HEAP
  barefxt_zephyr_heap_forget(thread);
#endif
  struct known* const gone = known_find(thread);
  if (gone == NULL) return;
  record(BAREFXT_STRING("thread aborted"), thread);
  /* One that runs, here or elsewhere, is to be switched away from yet. */
  if (!is_running(thread)) forget(gone);
}

#ifndef BAREFXT_ZEPHYR_WRAPS
static void leave(struct k_thread* thread);

/* The hook of newer kernels, also for a thread that returns. One that runs here ends as a dummy
 * thread, whose switch names nobody: it leaves now. Interrupts are off. */
void sys_trace_k_thread_sched_abort_user(struct k_thread* thread);
void sys_trace_k_thread_sched_abort_user(struct k_thread* thread) {
  sys_trace_thread_abort_user(thread);
  if (switching_thread(this_cpu_number()) == thread) leave(thread);
}
#endif

void sys_trace_thread_suspend_user(struct k_thread* thread);
void sys_trace_thread_suspend_user(struct k_thread* thread) {
  record(BAREFXT_STRING("thread suspended"), thread);
}

void sys_trace_thread_resume_user(struct k_thread* thread);
void sys_trace_thread_resume_user(struct k_thread* thread) {
  record(BAREFXT_STRING("thread resumed"), thread);
}

void sys_trace_thread_name_set_user(struct k_thread* thread);
void sys_trace_thread_name_set_user(struct k_thread* thread) {
  struct known* const who = known_find(thread);
  if (who != NULL && !who->is_idle) barefxt_thread_rename(&who->thread, name_of(thread));
}

void sys_trace_thread_priority_set_user(struct k_thread* thread, int priority);
void sys_trace_thread_priority_set_user(struct k_thread* thread, int priority) {
  if (!BAREFXT_ENABLED(zephyr)) return;
  priority_instant(BAREFXT_STRING("zephyr"), BAREFXT_STRING("priority changed"),
                   BAREFXT_STRING("thread"), (uint32_t)known(thread)->thread.koid,
                   barefxt_arg_i32(BAREFXT_TEXT("priority"), priority));
}

/* ---- Switches ---- */

#ifdef _THREAD_SLEEPING
#define ASLEEP _THREAD_SLEEPING
#else
/* A thread that sleeps is suspended, with a timeout. One that k_thread_suspend suspends has none.
 */
#define ASLEEP _THREAD_SUSPENDED
#endif

static bool is_suspended(const struct k_thread* thread) {
#if !defined(_THREAD_SLEEPING) && defined(CONFIG_SYS_CLOCK_EXISTS)
  if (sys_dnode_is_linked(&thread->base.timeout.node)) return false;
#endif
  return (thread->base.thread_state & _THREAD_SUSPENDED) != 0;
}

static barefxt_thread_state state_of(const struct k_thread* thread) {
  const uint32_t state = thread->base.thread_state;
  if ((state & (_THREAD_DEAD | _THREAD_ABORTING)) != 0) return BAREFXT_STATE_DYING;
  if (is_suspended(thread)) return BAREFXT_STATE_SUSPENDED;
  return (state & (_THREAD_PENDING | ASLEEP)) != 0 ? BAREFXT_STATE_BLOCKED : BAREFXT_STATE_RUNNABLE;
}

/* States in which a thread is no thread, or does not just make room. */
#define LEAVES \
  (_THREAD_DUMMY | _THREAD_PENDING | _THREAD_DEAD | _THREAD_ABORTING | _THREAD_SUSPENDED | ASLEEP)

__attribute__((noinline)) static void leave(struct k_thread* thread) {
  if (!is_thread(thread)) return;
  const barefxt_thread_state state = state_of(thread);
  if (!BAREFXT_ENABLED(sched) && !(state == BAREFXT_STATE_DYING && known_find(thread) != NULL))
    return;
  struct known* const who = known(thread);
  if (known_has_place(who)) {
    if (state != BAREFXT_STATE_RUNNABLE) who->awake_in = 0;
    if (state == BAREFXT_STATE_DYING) cpus[this_cpu_number()].over = who;
  }
  barefxt_switch_out(&who->thread, state);
}

__attribute__((noinline)) static void come_in(struct k_thread* thread) {
  struct known** const over = &cpus[this_cpu_number()].over;
  if (!BAREFXT_ENABLED(sched) && *over == NULL) {
    barefxt_switch_unrecorded();
    return;
  }
  if (!is_thread(thread)) return;
  struct known* const who = known(thread);
  if (known_has_place(who) && !who->is_idle && who->priority != thread->base.prio) {
    who->priority = thread->base.prio;
    barefxt_thread_set_priority(&who->thread, shown_priority(thread->base.prio));
  }
  who->awake_in = barefxt_session_number();
  barefxt_switch_in(&who->thread);
  /* The kernel may report twice that a thread leaves, and that the same comes in. */
  if (*over != NULL && *over != who) {
    forget(*over);
    *over = NULL;
  }
}

/* These two do what most switches need, and the two above do all. */
void sys_trace_thread_switched_out_user(SWITCHED);
void sys_trace_thread_switched_out_user(SWITCHED) {
  const uint32_t cpu = this_cpu_number();
  struct k_thread* const thread = switching_thread(cpu);
  const struct known* const who = cpus[cpu].running;
  if (thread == NULL || who == NULL || who->of != thread ||
      (thread->base.thread_state & LEAVES) != 0)
    return leave(thread);
  barefxt_switch_out(&who->thread, BAREFXT_STATE_RUNNABLE);
}

__attribute__((always_inline)) static inline void come_in_known(struct known* who, uint32_t cpu,
                                                                struct k_thread* thread) {
  if (who == NULL || who->priority != thread->base.prio) return come_in(thread);
  cpus[cpu].running = who;
  barefxt_switch_in(&who->thread);
}
/* Apart, so that a switch to most threads makes no call and saves no registers. */
__attribute__((noinline)) static void come_in_behind(struct known* first, uint32_t cpu,
                                                     struct k_thread* thread) {
  come_in_known(known_find_behind(first, thread), cpu, thread);
}

void sys_trace_thread_switched_in_user(SWITCHED);
void sys_trace_thread_switched_in_user(SWITCHED) {
  barefxt_clear_exclusive();
  const uint32_t cpu = this_cpu_number();
  struct k_thread* const thread = switching_thread(cpu);
  if (!BAREFXT_ENABLED(sched) || cpus[cpu].over != NULL) return come_in(thread);
  struct known* const first = known_first_of(thread);
  if (first == NULL || !known_is(first, thread)) return come_in_behind(first, cpu, thread);
  come_in_known(first, cpu, thread);
}

/* Also of threads that are ready already. */
void sys_trace_thread_sched_ready_user(struct k_thread* thread);
void sys_trace_thread_sched_ready_user(struct k_thread* thread) {
  if (!BAREFXT_ENABLED(sched) || is_idle(thread)) return;
  struct known* const who = known(thread);
  if (known_has_place(who)) known_wake(who);
}

/* ---- Interrupts ---- */

#if BAREFXT_ZEPHYR_SAMPLES
void barefxt_zephyr_sample(barefxt_interrupted at) {
  const struct k_thread* const thread = current_thread();
  /* None before the kernel's start. */
  sample_within(at, thread ? (const void*)thread->stack_info.start : NULL,
                thread ? thread->stack_info.size : 0);
}
#endif

/* A format's own are what the kernel calls. */
#ifdef BAREFXT_ZEPHYR_FORMAT
#define sys_trace_isr_enter_user sys_trace_isr_enter
#define sys_trace_isr_exit_user sys_trace_isr_exit
#endif

void sys_trace_isr_enter_user(NESTED);
void sys_trace_isr_enter_user(NESTED) {
  barefxt_clock_tick();
  const uint32_t number = BAREFXT_ZEPHYR_INTERRUPT();
#ifdef BAREFXT_ZEPHYR_TICK_INTERRUPT
  if (number == BAREFXT_ZEPHYR_TICK_INTERRUPT)
    return tick_enters(number, BAREFXT_ZEPHYR_TICKS && BAREFXT_ENABLED(zephyr),
                       BAREFXT_TEXT("zephyr"));
#endif
  if (BAREFXT_ENABLED(irq)) barefxt_interrupt_enter(number, BAREFXT_TEXT("interrupt"));
}

void sys_trace_isr_exit_user(NESTED);
void sys_trace_isr_exit_user(NESTED) {
  if (BAREFXT_ENABLED(irq)) barefxt_interrupt_exit(BAREFXT_ZEPHYR_INTERRUPT());
}

#endif
