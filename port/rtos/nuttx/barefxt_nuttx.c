/* Turns NuttX's notes into records, and handles its ready queue, whose calls the linker leads here
 * first.
 *
 * A tcb_s has no room for a tracer: see barefxt_known.h. Notes come with interrupts off, those of a
 * switch on the CPU that switches, so on one CPU they are the lock. On several, the hooks have a
 * lock of their own, which is held for no longer than a table is changed.
 */
#include "barefxt_nuttx.h"

#if BAREFXT_DISABLED

int barefxt_nuttx_register(void) { return 0; }

#else

#include <nuttx/config.h>
#include <nuttx/note/note_driver.h>
#include <nuttx/sched.h>
#include <nuttx/sched_note.h>
#include <nuttx/semaphore.h>
#ifndef NXSEM_NO_MHOLDER
#include <nuttx/mutex.h>
#endif

#include <barefxt_port.h>

/* Threads that exist at one time, 64 bytes each or fewer. Others are shown as one, "(more
 * threads)". */
#ifndef BAREFXT_NUTTX_THREADS
#define BAREFXT_NUTTX_THREADS 64
#endif

/* Objects whose ids are remembered; the oldest makes room. 12 to 16 bytes each. */
#ifndef BAREFXT_NUTTX_OBJECTS
#define BAREFXT_NUTTX_OBJECTS 32
#endif

/* 1: marks of the threads' stacks, by barefxt_nuttx_scan_stacks. */
#ifndef BAREFXT_NUTTX_STACKS
#define BAREFXT_NUTTX_STACKS 0
#endif
#if BAREFXT_NUTTX_STACKS && !defined(CONFIG_STACK_COLORATION)
#error "barefxt: BAREFXT_NUTTX_STACKS needs CONFIG_STACK_COLORATION"
#endif

/* 1: each tick counts in a counter of its CPU's. Floods the trace. */
#ifndef BAREFXT_NUTTX_TICKS
#define BAREFXT_NUTTX_TICKS 0
#endif

/* 1: barefxt_nuttx_sample, for a timer's interrupt. N, from 2 on: a sample at every N-th tick, too.
 */
#ifndef BAREFXT_NUTTX_SAMPLES
#define BAREFXT_NUTTX_SAMPLES 0
#endif

#ifdef CONFIG_SMP
#define KERNEL_CORES CONFIG_SMP_NCPUS
#else
#define KERNEL_CORES 1
#endif
#include "../common/barefxt_hook_lock.h"

#define KNOWN_THREADS BAREFXT_NUTTX_THREADS
#define KNOWN_OBJECTS BAREFXT_NUTTX_OBJECTS
#define KNOWN_STACKS BAREFXT_NUTTX_STACKS
#define SAMPLES BAREFXT_NUTTX_SAMPLES
#define SAMPLE barefxt_nuttx_sample
#if SAMPLES > 1 && !defined(BAREFXT_INTERRUPTED)
#include <nuttx/irq.h>
#ifndef up_getusrpc
#error "barefxt: this NuttX has no up_getusrpc. Hint: BAREFXT_NUTTX_SAMPLES=1"
#endif
#define BAREFXT_INTERRUPTED() ((barefxt_interrupted){(uintptr_t)up_getusrpc(NULL), 0, 0})
#endif
#include "../common/barefxt_known.h"
#include "../common/barefxt_object_event.h"
#include "../common/barefxt_tick.h"

enum wait_kind { WAIT_NONE, WAIT_SEMAPHORE, WAIT_MUTEX, WAIT_QUEUE, WAIT_EVENT, HEAP };

/* For each CPU the thread that runs, and the thread that leaves it for good, until the next comes
 * in. */
static struct known* running[BAREFXT_MAX_CPUS];
static struct known* over[BAREFXT_MAX_CPUS];

/* ---- Threads ---- */

/* Only idle threads have priority 0; their process ids are the CPUs' numbers. */
static bool is_idle(const struct tcb_s* tcb) { return tcb->init_priority == 0; }

static const char* name_of(const struct tcb_s* tcb) {
#if CONFIG_TASK_NAME_SIZE > 0
  if (tcb->name[0] != 0) return tcb->name;
#else
  (void)tcb;
#endif
  return "(no name)";
}

static struct known* known(const struct tcb_s* tcb) {
  struct known* who = known_find(tcb);
  if (who != NULL) return who;
  const uintptr_t interrupts = lock();
  who = known_find(tcb);
  if (who == NULL) {
    who = is_idle(tcb)
              ? known_new_idle("NuttX", tcb, (uint32_t)tcb->pid)
              : known_new("NuttX", tcb, name_of(tcb), tcb->sched_priority, tcb->sched_priority);
#if BAREFXT_NUTTX_STACKS
    known_stack(who, tcb->stack_base_ptr, tcb->adj_stack_size, 0xdeadbeefu);
#endif
  }
  unlock(interrupts);
  return who;
}

static void forget(struct known* gone) {
  const uintptr_t interrupts = lock();
  known_forget(gone);
  unlock(interrupts);
}

#if BAREFXT_NUTTX_STACKS
void barefxt_nuttx_scan_stacks(void) {
  const uintptr_t interrupts = lock();
  known_scan_stacks();
  unlock(interrupts);
}
#endif

/* `name` is the number of an interned string. */
static void instant_of_thread(uint32_t name, const struct known* who) {
  if (!BAREFXT_ENABLED(nuttx)) return;
  koid_instant(BAREFXT_STRING("nuttx"), name, BAREFXT_STRING("thread"), (uint32_t)who->thread.koid);
}

/* ---- Objects that threads wait for ---- */

static uint32_t kind_of(const struct tcb_s* tcb) {
  switch (tcb->task_state) {
    case TSTATE_WAIT_SEM:
#ifdef SEM_TYPE_MUTEX
      if (tcb->waitobj != NULL && (((const sem_t*)tcb->waitobj)->flags & SEM_TYPE_MUTEX) != 0)
        return WAIT_MUTEX;
#endif
      return WAIT_SEMAPHORE;
#ifdef CONFIG_SCHED_EVENTS
    case TSTATE_WAIT_EVENT:
      return WAIT_EVENT;
#endif
#if !defined(CONFIG_DISABLE_MQUEUE) || !defined(CONFIG_DISABLE_MQUEUE_SYSV)
    case TSTATE_WAIT_MQNOTEMPTY:
    case TSTATE_WAIT_MQNOTFULL:
      return WAIT_QUEUE;
#endif
    default:
      return WAIT_NONE;
  }
}

static barefxt_text wait_name(uint32_t kind) {
  switch (kind) {
    case WAIT_MUTEX:
      return BAREFXT_TEXT("mutex wait");
    case WAIT_QUEUE:
      return BAREFXT_TEXT("message queue wait");
    case WAIT_EVENT:
      return BAREFXT_TEXT("event wait");
    default:
      return BAREFXT_TEXT("semaphore wait");
  }
}

static uint32_t koid_of(const void* object, uint32_t kind) {
  static const char* const kinds[] = {"", "sem@", "mutex@", "queue@", "event@", "heap@"};
  if (object == NULL) return 0;
  const uintptr_t interrupts = lock();
  const uint32_t koid = known_object(object, kind,
                                     kind == WAIT_QUEUE ? BAREFXT_OBJECT_QUEUE
                                     : kind == HEAP     ? BAREFXT_OBJECT_MEMORY
                                                        : BAREFXT_OBJECT_EVENT,
                                     kinds[kind]);
  unlock(interrupts);
  return koid;
}

/* A mutex has its holder's process id: in its semaphore, or in older versions behind it. */
#ifdef SEM_TYPE_MUTEX
static pid_t holder_of(const sem_t* mutex) {
#ifdef NXSEM_NO_MHOLDER
  return (pid_t)((uint32_t)mutex->val.mholder & ~(uint32_t)NXSEM_MBLOCKING_BIT);
#else
  return ((const mutex_t*)mutex)->holder;
#endif
}
#endif

static uint32_t holder_koid(const struct tcb_s* tcb, uint32_t kind) {
#ifdef SEM_TYPE_MUTEX
  if (kind != WAIT_MUTEX) return 0;
  const pid_t holder = holder_of((const sem_t*)tcb->waitobj);
  for (uint32_t place = 1; place <= known_highest; ++place) {
    const struct tcb_s* const other = (const struct tcb_s*)known_places[place].of;
    if (other != NULL && other->pid == holder) return (uint32_t)known_places[place].thread.koid;
  }
#else
  (void)tcb;
  (void)kind;
#endif
  return 0;
}

static void begin_wait(const struct tcb_s* tcb, struct known* who) {
  const uint32_t kind = kind_of(tcb);
  if (kind == WAIT_NONE) return;
  known_begin_wait(who, BAREFXT_TEXT("nuttx"), kind, wait_name(kind), koid_of(tcb->waitobj, kind),
                   holder_koid(tcb, kind));
}

/* ---- Notes ---- */

/* A thread that has ended has the state of one that has not begun. */
static barefxt_thread_state state_of(const struct tcb_s* tcb) {
  switch (tcb->task_state) {
    case TSTATE_TASK_INVALID:
    case TSTATE_TASK_INACTIVE:
      return BAREFXT_STATE_DYING;
#ifdef CONFIG_SIG_SIGSTOP_ACTION
    case TSTATE_TASK_STOPPED:
      return BAREFXT_STATE_SUSPENDED;
#endif
    default:
      return tcb->task_state >= FIRST_BLOCKED_STATE ? BAREFXT_STATE_BLOCKED
                                                    : BAREFXT_STATE_RUNNABLE;
  }
}

static void started(struct note_driver_s* driver, struct tcb_s* tcb) {
  (void)driver;
  if (BAREFXT_ENABLED(nuttx))
    created_instant(BAREFXT_STRING("nuttx"), BAREFXT_STRING("thread started"),
                    BAREFXT_STRING("thread"), (uint32_t)known(tcb)->thread.koid, tcb);
}

/* One that ends itself has been switched away from by now, or, in older versions, will be; one that
 * is ended by another has not run. */
static void stopped(struct note_driver_s* driver, struct tcb_s* tcb) {
  (void)driver;
  struct known* const gone = known_find(tcb);
  if (gone == NULL) return;
  instant_of_thread(BAREFXT_STRING("thread stopped"), gone);
  const uint32_t cpu = this_cpu_number();
  if (running[cpu] == gone)
    over[cpu] = gone;
  else
    forget(gone);
}

static void suspended(struct note_driver_s* driver, struct tcb_s* tcb) {
  (void)driver;
  if (!BAREFXT_ENABLED(sched) && over[this_cpu_number()] == NULL) return;
  struct known* const who = known(tcb);
  const barefxt_thread_state state = state_of(tcb);
  if (known_has_place(who)) {
    /* Threads name themselves when they run, without a note. One without an entry in the table
     * keeps the name that it was registered with: to name it is a record each time. */
    if (!who->is_idle && who->thread.reference != 0)
      barefxt_thread_rename(&who->thread, name_of(tcb));
    if (state != BAREFXT_STATE_RUNNABLE) who->awake_in = 0;
    if (state == BAREFXT_STATE_BLOCKED && BAREFXT_ENABLED(nuttx)) begin_wait(tcb, who);
  }
  barefxt_switch_out(&who->thread, state);
}

static void resumed(struct note_driver_s* driver, struct tcb_s* tcb) {
  (void)driver;
  barefxt_clear_exclusive();
  const uint32_t cpu = this_cpu_number();
  if (!BAREFXT_ENABLED(sched) && over[cpu] == NULL) {
    running[cpu] = known_find(tcb);
    barefxt_switch_unrecorded();
    return;
  }
  struct known* const who = known(tcb);
  if (known_has_place(who) && !who->is_idle) {
    if (who->priority != tcb->sched_priority) {
      who->priority = tcb->sched_priority;
      barefxt_thread_set_priority(&who->thread, tcb->sched_priority);
    }
  }
  who->awake_in = barefxt_session_number();
  barefxt_switch_in(&who->thread);
  running[cpu] = who;
  if (who->waiting_in != 0 && known_has_waited(who) && BAREFXT_ENABLED(nuttx))
    known_end_wait(who, BAREFXT_TEXT("nuttx"), wait_name(who->kind), tcb->errcode != 0);
  if (over[cpu] != NULL) forget(over[cpu]);
  over[cpu] = NULL;
}

#if BAREFXT_NUTTX_SAMPLES
void barefxt_nuttx_sample(barefxt_interrupted at) {
  const struct tcb_s* const tcb = nxsched_self();
  /* None before the kernel's start. */
  sample_within(at, tcb ? tcb->stack_base_ptr : NULL, tcb ? tcb->adj_stack_size : 0);
}
#endif

#ifdef CONFIG_SCHED_INSTRUMENTATION_IRQHANDLER
static void interrupt(struct note_driver_s* driver, int irq, void* handler, bool enter) {
  (void)driver;
  (void)handler;
  if (!enter) {
    if (BAREFXT_ENABLED(irq)) barefxt_interrupt_exit((uint32_t)irq);
    return;
  }
  barefxt_clock_tick();
#ifdef BAREFXT_NUTTX_TIMER_INTERRUPT
  if (irq == BAREFXT_NUTTX_TIMER_INTERRUPT)
    return tick_enters((uint32_t)irq, BAREFXT_NUTTX_TICKS && BAREFXT_ENABLED(nuttx),
                       BAREFXT_TEXT("nuttx"));
#endif
  if (BAREFXT_ENABLED(irq)) barefxt_interrupt_enter((uint32_t)irq, BAREFXT_TEXT("interrupt"));
}
#endif

#ifdef CONFIG_SCHED_INSTRUMENTATION_WDOG
static void timer(struct note_driver_s* driver, uint8_t event, void* handler,
                  const void* argument) {
  (void)driver;
  (void)argument;
  if (event == NOTE_WDOG_ENTER)
    BAREFXT_INSTANT(nuttx, "timer", BAREFXT_ARG_POINTER("callback", handler));
}
#endif

#ifdef CONFIG_SCHED_INSTRUMENTATION_HEAP
static void heap_changed(struct note_driver_s* driver, uint8_t event, void* heap, void* block,
                         size_t bytes, size_t used) {
  (void)driver;
  if (event == NOTE_HEAP_ALLOC) barefxt_heap_alloc(block, bytes, NULL);
  if (event == NOTE_HEAP_FREE) barefxt_heap_free(block, NULL);
  if (event == NOTE_HEAP_ADD) barefxt_heap_pool(BAREFXT_TEXT("heap"), block, bytes, used);
  BAREFXT_COUNTER(nuttx_heap, "heap", koid_of(heap, HEAP),
                  BAREFXT_ARG_U32("bytes", (uint32_t)used));
}
#endif

/* ---- The ready queue. The thread may be in it already, and change its place. ---- */

bool __real_nxsched_add_readytorun(struct tcb_s* tcb);
bool __wrap_nxsched_add_readytorun(struct tcb_s* tcb);
bool __wrap_nxsched_add_readytorun(struct tcb_s* tcb) {
  if (BAREFXT_ENABLED(sched)) {
    struct known* const who = known(tcb);
    if (known_has_place(who) && !who->is_idle) known_wake(who);
  }
  return __real_nxsched_add_readytorun(tcb);
}

/* ---- The driver ---- */

int barefxt_nuttx_register(void) {
  static const struct note_driver_ops_s operations = {
      .start = started,
      .stop = stopped,
      .suspend = suspended,
      .resume = resumed,
#ifdef CONFIG_SCHED_INSTRUMENTATION_IRQHANDLER
      .irqhandler = interrupt,
#endif
#ifdef CONFIG_SCHED_INSTRUMENTATION_WDOG
      .wdog = timer,
#endif
#ifdef CONFIG_SCHED_INSTRUMENTATION_HEAP
      .heap = heap_changed,
#endif
  };
  static struct note_driver_s driver = {
#ifdef CONFIG_SCHED_INSTRUMENTATION_FILTER
      .name = "barefxt",
      .filter = {.mode =
                     {
                         .flag = NOTE_FILTER_MODE_FLAG_ENABLE | NOTE_FILTER_MODE_FLAG_SWITCH |
                                 NOTE_FILTER_MODE_FLAG_IRQ,
#ifdef CONFIG_SMP
                         .cpuset = CONFIG_SCHED_INSTRUMENTATION_CPUSET,
#endif
                     }},
#endif
      .ops = &operations,
  };
  static bool is_registered;
  if (is_registered) return 0;
  const int status = note_driver_register(&driver);
  is_registered = status >= 0;
  return is_registered ? 0 : status;
}

#endif
