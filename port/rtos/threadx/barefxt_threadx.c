/* The functions that ThreadX calls, see barefxt_threadx.h.
 *
 * There is no idle thread: after an exit without a thread to execute the CPU is idle, until the
 * next enter. Some ports leave out the exit of a thread that is preempted; barefxt_switch_in
 * completes it. On Cortex-M interrupts are on during enter, which does no harm.
 */
#include <barefxt/barefxt.h>

#include "tx_api.h"

#if !BAREFXT_DISABLED

/* The arrays, rather than what stands for this core's place in them. */
#ifdef TX_THREAD_SMP_MAX_CORES
#define TX_THREAD_SMP_SOURCE_CODE
#endif
#include "../common/barefxt_object_event.h"
#define SAMPLES BAREFXT_THREADX_SAMPLES
#define SAMPLE barefxt_threadx_sample
#include "../common/barefxt_tick.h"
#include "tx_event_flags.h"
#include "tx_mutex.h"
#include "tx_queue.h"
#include "tx_semaphore.h"
#include "tx_thread.h"

/* Objects whose ids are remembered; the least recently seen makes room. 16 bytes each, 24 with
 * addresses of 64 bits. */
#ifndef BAREFXT_THREADX_OBJECTS
#define BAREFXT_THREADX_OBJECTS 32
#endif

/* 1: each tick counts in a counter of its CPU's. Floods the trace. */
#ifndef BAREFXT_THREADX_TICKS
#define BAREFXT_THREADX_TICKS 0
#endif

#ifdef TX_THREAD_SMP_MAX_CORES
#define CORES TX_THREAD_SMP_MAX_CORES
#define CURRENT(core) _tx_thread_current_ptr[core]
#define EXECUTE(core) _tx_thread_execute_ptr[core]
#else
#define CORES 1
#define CURRENT(core) _tx_thread_current_ptr
#define EXECUTE(core) _tx_thread_execute_ptr
#endif

#define KERNEL_CORES CORES
#include "../common/barefxt_cores.h"

static barefxt_thread idle[CORES];
/* For each core, the thread that is over, until the next comes in. */
static TX_THREAD* over[CORES];
static uint32_t process;

static uint32_t this_core(void) { return CORES == 1 ? 0 : barefxt_port_cpu() % CORES; }

static const char* text_or(const char* text, const char* other) {
  return text != NULL ? text : other;
}

/* ---- Threads ---- */

static void know_process(void) {
  if (process != 0) return;
  process = barefxt_koid_new();
  barefxt_process_register(process, "ThreadX");
}

static barefxt_thread* idle_of(uint32_t core) {
  if (idle[core].koid == 0) {
    char name[] = "idle/0";
    name[sizeof name - 2] = (char)('0' + core % 10);
    barefxt_thread_register(&idle[core], 0, barefxt_koid_new(), name, 0);
  }
  return &idle[core];
}

/* The kernel's highest priority is 0; that of viewers is 255, and 0 is idle. */
static uint8_t shown_priority(uint32_t priority) {
  const uint32_t shown = TX_MAX_PRIORITIES - priority;
  return (uint8_t)(shown <= 255 ? shown : 255);
}

#if BAREFXT_THREADX_STACKS
/* What the kernel fills stacks with; 0: nothing. */
#ifdef TX_DISABLE_STACK_FILLING
#define STACK_PAINT 0
#else
#define STACK_PAINT 0xefefefefu
#endif

static void know_stack(struct barefxt_threadx_thread* trace, const TX_THREAD* thread) {
  TX_INTERRUPT_SAVE_AREA
  if (thread->tx_thread_stack_start == NULL) return;
  TX_DISABLE
  barefxt_stack_register(&trace->stack, (uint32_t)trace->thread.koid,
                         (uintptr_t)thread->tx_thread_stack_start, thread->tx_thread_stack_size,
                         STACK_PAINT);
  TX_RESTORE
}

static void forget_stack(struct barefxt_threadx_thread* trace) {
  TX_INTERRUPT_SAVE_AREA
  TX_DISABLE
  barefxt_stack_unregister(&trace->stack);
  TX_RESTORE
}

/* As the thread left it, and with TX_ENABLE_STACK_CHECKING how far the kernel has found it used. */
static void look_at_stack(struct barefxt_threadx_thread* trace, const TX_THREAD* thread) {
  barefxt_stack_reached(&trace->stack, (uintptr_t)thread->tx_thread_stack_ptr);
#ifdef TX_ENABLE_STACK_CHECKING
  barefxt_stack_reached(&trace->stack, (uintptr_t)thread->tx_thread_stack_highest_ptr);
#endif
}

void barefxt_threadx_scan_stacks(void) {
  TX_INTERRUPT_SAVE_AREA
  TX_DISABLE
  barefxt_stack_scan(64);
  TX_RESTORE
}
#endif

static struct barefxt_threadx_thread* known(TX_THREAD* thread) {
  struct barefxt_threadx_thread* trace = &thread->tx_thread_barefxt;
  if (trace->thread.koid == 0) {
    know_process();
    trace->priority = thread->tx_thread_priority;
    barefxt_thread_register(&trace->thread, process, barefxt_koid_new(),
                            text_or(thread->tx_thread_name, "(no name)"),
                            shown_priority(trace->priority));
#if BAREFXT_THREADX_STACKS
    know_stack(trace, thread);
#endif
  }
  return trace;
}

/* The control block may be the application's again, or be started once more: another thread. */
static void forget(TX_THREAD* thread) {
  struct barefxt_threadx_thread* trace = &thread->tx_thread_barefxt;
  if (trace->thread.koid == 0) return;
#if BAREFXT_THREADX_STACKS
  forget_stack(trace);
#endif
  barefxt_thread_unregister(&trace->thread);
  trace->thread.koid = 0;
  trace->awake_in = 0;
  trace->waiting_in = 0;
}

static bool is_over(uint32_t state) { return state == TX_COMPLETED || state == TX_TERMINATED; }

static bool is_running(const TX_THREAD* thread) {
  for (uint32_t core = 0; core < CORES; ++core)
    if (CURRENT(core) == thread) return true;
  return false;
}

static barefxt_thread_state state_of(uint32_t state) {
  if (state == TX_READY || state == TX_PRIORITY_CHANGE) return BAREFXT_STATE_RUNNABLE;
  if (is_over(state)) return BAREFXT_STATE_DYING;
  return state == TX_SUSPENDED ? BAREFXT_STATE_SUSPENDED : BAREFXT_STATE_BLOCKED;
}

void barefxt_threadx_state_changed(TX_THREAD* thread, uint32_t state) {
  /* One that does not run ends without a switch. */
  if (is_over(state) && !is_running(thread)) {
    if (BAREFXT_ENABLED(threadx) && thread->tx_thread_barefxt.thread.koid != 0)
      koid_instant(BAREFXT_STRING("threadx"), BAREFXT_STRING("thread terminated"),
                   BAREFXT_STRING("thread"), (uint32_t)thread->tx_thread_barefxt.thread.koid);
    forget(thread);
    return;
  }
  if (!BAREFXT_ENABLED(sched)) return;
  struct barefxt_threadx_thread* trace = known(thread);
  const uint32_t session = barefxt_session_number();
  if (state == TX_PRIORITY_CHANGE) {
    /* The kernel takes a ready thread out of its list and puts it back: no wakeup. */
    trace->awake_in = session;
  } else if (state != TX_READY) {
    if (!is_running(thread)) trace->awake_in = 0;
  } else if (trace->awake_in != session) {
    trace->awake_in = session;
    const uint32_t interrupt = BAREFXT_THREADX_INTERRUPT();
    if (interrupt == 0)
      barefxt_thread_wakeup(&trace->thread);
    else
      barefxt_thread_wakeup_in_interrupt(&trace->thread, interrupt);
  }
}

/* ---- Objects that threads wait for. They have no room for an id. ---- */

struct object {
  const void* address;
  const char* name;
  uint32_t koid;
  uint32_t kind; /* the state of threads that wait for it */
};

static const char* name_of(const void* object, uint32_t kind) {
  switch (kind) {
    case TX_QUEUE_SUSP:
      return ((const TX_QUEUE*)object)->tx_queue_name;
    case TX_SEMAPHORE_SUSP:
      return ((const TX_SEMAPHORE*)object)->tx_semaphore_name;
    case TX_EVENT_FLAG:
      return ((const TX_EVENT_FLAGS_GROUP*)object)->tx_event_flags_group_name;
    case TX_BLOCK_MEMORY:
      return ((const TX_BLOCK_POOL*)object)->tx_block_pool_name;
    case TX_BYTE_MEMORY:
      return ((const TX_BYTE_POOL*)object)->tx_byte_pool_name;
#ifdef TX_ENABLE_EVENT_LOGGING
    case BAREFXT_THREADX_TIMER:
      return ((const TX_TIMER*)object)->tx_timer_name;
#endif
    default:
      return ((const TX_MUTEX*)object)->tx_mutex_name;
  }
}

static barefxt_object_type type_of(uint32_t kind) {
  if (kind == TX_QUEUE_SUSP) return BAREFXT_OBJECT_QUEUE;
#ifdef TX_ENABLE_EVENT_LOGGING
  if (kind == BAREFXT_THREADX_TIMER) return BAREFXT_OBJECT_TIMER;
#endif
  return kind == TX_BLOCK_MEMORY || kind == TX_BYTE_MEMORY ? BAREFXT_OBJECT_MEMORY
                                                           : BAREFXT_OBJECT_EVENT;
}

/* Each core has its own, or two would search in what they change. */
static struct object objects[CORES][BAREFXT_THREADX_OBJECTS];
/* The object of the last search: a search begins there, since a lock that is given back was taken
 * just before. */
static uint32_t latest_object[CORES];

/* An object at the former address of another, of another kind or name, is a new one. */
static uint32_t koid_of(uint32_t core, const void* address, uint32_t kind) {
  static uint32_t next[CORES];
  const char* const name = text_or(name_of(address, kind), "(no name)");
  struct object* found = &objects[core][latest_object[core]];
  if (found->address != address) {
    found = NULL;
    for (uint32_t i = 0; i < BAREFXT_THREADX_OBJECTS && found == NULL; ++i)
      if (objects[core][i].address == address) found = &objects[core][i];
    if (found == NULL) found = &objects[core][next[core]++ % BAREFXT_THREADX_OBJECTS];
    latest_object[core] = (uint32_t)(found - objects[core]);
  }
  if (found->address == address && found->kind == kind && found->name == name) return found->koid;
  if (found->koid != 0) barefxt_object_unregister(found->koid);
  *found = (struct object){address, name, barefxt_koid_new(), kind};
  barefxt_object_register(found->koid, type_of(kind), name);
  return found->koid;
}

#ifdef TX_ENABLE_EVENT_LOGGING
static void forget_object(const void* address) {
  for (uint32_t core = 0; core < CORES; ++core)
    for (uint32_t i = 0; i < BAREFXT_THREADX_OBJECTS; ++i) {
      struct object* const object = &objects[core][i];
      if (object->address != address) continue;
      object->address = NULL;
      barefxt_object_unregister(object->koid);
      object->koid = 0;
    }
}
#endif

static uint32_t wait_name(uint32_t state) {
  switch (state) {
    case TX_QUEUE_SUSP:
      return BAREFXT_STRING("queue wait");
    case TX_SEMAPHORE_SUSP:
      return BAREFXT_STRING("semaphore wait");
    case TX_EVENT_FLAG:
      return BAREFXT_STRING("event flags wait");
    case TX_BLOCK_MEMORY:
      return BAREFXT_STRING("block pool wait");
    case TX_BYTE_MEMORY:
      return BAREFXT_STRING("byte pool wait");
    default:
      return BAREFXT_STRING("mutex wait");
  }
}

static bool has_object(uint32_t state) {
  return (state >= TX_QUEUE_SUSP && state <= TX_BYTE_MEMORY) || state == TX_MUTEX_SUSP;
}

/* Returns the owner of a mutex; 0: none, or one that was never seen. */
static uint32_t holder_of(const void* object, uint32_t state) {
  if (state != TX_MUTEX_SUSP || object == NULL) return 0;
  const TX_THREAD* const owner = ((const TX_MUTEX*)object)->tx_mutex_owner;
  return owner == NULL ? 0 : (uint32_t)owner->tx_thread_barefxt.thread.koid;
}

/* Before the switch away, so that the event is the waiting thread's. */
static void begin_wait(uint32_t core, const TX_THREAD* thread,
                       struct barefxt_threadx_thread* trace) {
  trace->waiting_in = barefxt_session_number();
  trace->wait_state = thread->tx_thread_state;
  trace->wait_begin = barefxt_ticks();
  trace->object = thread->tx_thread_suspend_control_block == NULL
                      ? 0
                      : koid_of(core, thread->tx_thread_suspend_control_block, trace->wait_state);
  const uint32_t holder = holder_of(thread->tx_thread_suspend_control_block, trace->wait_state);
  wait_begins(&trace->thread, BAREFXT_STRING("threadx"), wait_name(trace->wait_state),
              trace->object, holder);
}

/* When it runs again. */
static void end_wait(const TX_THREAD* thread, struct barefxt_threadx_thread* trace) {
  const bool is_of_now = trace->waiting_in == barefxt_session_number();
  trace->waiting_in = 0;
  if (!is_of_now || !BAREFXT_ENABLED(threadx)) return;
  wait_ends(&trace->thread, BAREFXT_STRING("threadx"), wait_name(trace->wait_state),
            trace->wait_begin, trace->object, thread->tx_thread_suspend_status != TX_SUCCESS);
}

/* ---- Calls, see tx_el.h ---- */

#ifdef TX_ENABLE_EVENT_LOGGING
static unsigned long event[2];
unsigned char* barefxt_threadx_event = (unsigned char*)event;

UINT _tx_thread_interrupt_control(UINT new_posture);
UINT _tx_el_interrupt_control(UINT new_posture) {
  return _tx_thread_interrupt_control(new_posture);
}

static uint32_t get_name(uint32_t kind) {
  switch (kind) {
    case TX_QUEUE_SUSP:
      return BAREFXT_STRING("queue receive");
    case TX_SEMAPHORE_SUSP:
      return BAREFXT_STRING("semaphore get");
    case TX_EVENT_FLAG:
      return BAREFXT_STRING("event flags get");
    case BAREFXT_THREADX_TIMER:
      return BAREFXT_STRING("timer deactivate");
    default:
      return BAREFXT_STRING("mutex get");
  }
}

static uint32_t put_name(uint32_t kind) {
  switch (kind) {
    case TX_QUEUE_SUSP:
      return BAREFXT_STRING("queue send");
    case TX_SEMAPHORE_SUSP:
      return BAREFXT_STRING("semaphore put");
    case TX_EVENT_FLAG:
      return BAREFXT_STRING("event flags set");
    case BAREFXT_THREADX_TIMER:
      return BAREFXT_STRING("timer activate");
    default:
      return BAREFXT_STRING("mutex put");
  }
}

/* `name`: the number of an interned string. A creation forgets its object first, so that the latest
 * object is it if both address and kind are equal. */
static void record(uint32_t name, const void* object, uint32_t kind) {
  const uint32_t core = this_core();
  const struct object* const latest = &objects[core][latest_object[core]];
  object_instant(BAREFXT_STRING("threadx"), name,
                 latest->address == object && latest->kind == kind ? latest->koid
                                                                   : koid_of(core, object, kind));
}

void barefxt_threadx_object_created(const void* object, uint32_t kind) {
  forget_object(object);
  if (!BAREFXT_ENABLED(threadx)) return;
  created_instant(BAREFXT_STRING("threadx"), BAREFXT_STRING("object created"),
                  BAREFXT_STRING("object"), koid_of(this_core(), object, kind), object);
}

void barefxt_threadx_object_deleted(const void* object, uint32_t kind) {
  if (BAREFXT_ENABLED(threadx)) record(BAREFXT_STRING("object deleted"), object, kind);
  forget_object(object);
}

void barefxt_threadx_called(barefxt_threadx_call call, const void* object, uint32_t kind) {
  record(call == BAREFXT_THREADX_GET ? get_name(kind) : put_name(kind), object, kind);
}

void barefxt_threadx_pool(const void* pool, uint32_t kind, ULONG available) {
  const barefxt_argument argument = barefxt_arg_u32(BAREFXT_TEXT("available"), (uint32_t)available);
  barefxt_event(BAREFXT_EVENT_COUNTER, NULL, BAREFXT_TEXT("threadx"),
                kind == TX_BLOCK_MEMORY ? BAREFXT_TEXT("block pool") : BAREFXT_TEXT("byte pool"),
                koid_of(this_core(), pool, kind), &argument, 1);
}

void barefxt_threadx_created(TX_THREAD* thread) {
  created_instant(BAREFXT_STRING("threadx"), BAREFXT_STRING("thread created"),
                  BAREFXT_STRING("thread"), (uint32_t)known(thread)->thread.koid, thread);
}

void barefxt_threadx_deleted(TX_THREAD* thread) { forget(thread); }

void barefxt_threadx_priority_changed(TX_THREAD* thread, UINT priority) {
  priority_instant(BAREFXT_STRING("threadx"), BAREFXT_STRING("priority changed"),
                   BAREFXT_STRING("thread"), (uint32_t)known(thread)->thread.koid,
                   barefxt_arg_u32(BAREFXT_TEXT("priority"), priority));
}
#endif

/* ---- Functions that the kernel calls ---- */

VOID _tx_execution_initialize(VOID);
VOID _tx_execution_thread_enter(VOID);
VOID _tx_execution_thread_exit(VOID);
VOID _tx_execution_isr_enter(VOID);
VOID _tx_execution_isr_exit(VOID);

VOID _tx_execution_initialize(VOID) { know_process(); }

#if defined(TX_THREAD_SMP_MAX_CORES)
/* A thread that was preempted without an exit runs here for the tracer until the next one enters.
 * Meanwhile another core may end it, and clear its block. So the tracer gets a copy, which belongs
 * to this core. The same thread has the same copy until another one comes. */
static const barefxt_thread* copy_of(uint32_t core, const barefxt_thread* thread) {
  static barefxt_thread copies[CORES][2];
  static uint32_t latest[CORES];
  if (copies[core][latest[core]].koid != thread->koid) latest[core] ^= 1;
  barefxt_thread* const copy = &copies[core][latest[core]];
  *copy = *thread;
  return copy;
}
#else
static const barefxt_thread* copy_of(uint32_t core, const barefxt_thread* thread) {
  (void)core;
  return thread;
}
#endif

static void come_in(uint32_t core, const barefxt_thread* thread) {
  barefxt_switch_in(copy_of(core, thread));
  TX_THREAD* const gone = over[core];
  if (gone == NULL) return;
  over[core] = NULL;
  forget(gone);
}

VOID _tx_execution_thread_enter(VOID) {
  barefxt_clear_exclusive();
  const uint32_t core = this_core();
  TX_THREAD* const thread = CURRENT(core);
  if (thread == NULL || (!BAREFXT_ENABLED(sched) && over[core] == NULL)) return;
  struct barefxt_threadx_thread* const trace = known(thread);
  if (trace->priority != thread->tx_thread_priority) {
    trace->priority = thread->tx_thread_priority;
    barefxt_thread_set_priority(&trace->thread, shown_priority(trace->priority));
  }
  trace->awake_in = barefxt_session_number();
#if BAREFXT_THREADX_STACKS
  look_at_stack(trace, thread);
#endif
  come_in(core, &trace->thread);
  if (trace->waiting_in != 0) end_wait(thread, trace);
}

VOID _tx_execution_thread_exit(VOID) {
  const uint32_t core = this_core();
  TX_THREAD* const thread = CURRENT(core);
  if (thread == NULL) return;
  const uint32_t state = thread->tx_thread_state;
  if (is_over(state)) {
    over[core] = thread;
  } else if (!BAREFXT_ENABLED(sched)) {
    barefxt_switch_unrecorded();
    return;
  }
  struct barefxt_threadx_thread* const trace = known(thread);
  if (state != TX_READY) trace->awake_in = 0;
  if (has_object(state) && BAREFXT_ENABLED(threadx)) begin_wait(core, thread, trace);
  barefxt_switch_out(copy_of(core, &trace->thread), state_of(state));
  if (EXECUTE(core) == NULL) come_in(core, idle_of(core));
}

#if BAREFXT_THREADX_SAMPLES
/* Without a thread the kernel waits for one in a handler, where PSP has the last thread's frame. */
void barefxt_threadx_sample(barefxt_interrupted at) {
  const TX_THREAD* const thread = CURRENT(this_core());
  if (thread != NULL)
    sample_within(at, thread->tx_thread_stack_start, thread->tx_thread_stack_size);
}
#endif

VOID _tx_execution_isr_enter(VOID) {
  barefxt_clock_tick();
  const uint32_t number = BAREFXT_THREADX_INTERRUPT();
#ifdef BAREFXT_THREADX_TICK_INTERRUPT
  if (number == BAREFXT_THREADX_TICK_INTERRUPT)
    return tick_enters(number, BAREFXT_THREADX_TICKS && BAREFXT_ENABLED(threadx),
                       BAREFXT_TEXT("threadx"));
#endif
  if (BAREFXT_ENABLED(irq)) barefxt_interrupt_enter(number, BAREFXT_TEXT("interrupt"));
}

VOID _tx_execution_isr_exit(VOID) {
  if (BAREFXT_ENABLED(irq)) barefxt_interrupt_exit(BAREFXT_THREADX_INTERRUPT());
}

#endif
