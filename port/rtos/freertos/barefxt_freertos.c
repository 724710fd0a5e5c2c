/* The functions behind FreeRTOS's trace macros, see barefxt_freertos.h.
 *
 * A task's control block has no room for a barefxt_thread, so there is a table of them, in which
 * the block has a number. Places are taken and given back under the kernel's lock (creation,
 * deletion and switches are all there is). A task that deletes itself keeps its place until it has
 * been switched out for good: until then the tracer's rings point to it.
 */
#include <barefxt/barefxt.h>

#include "FreeRTOS.h"
#include "task.h"

#if !BAREFXT_DISABLED

/* FreeRTOS before 11 has one core, or another name for their number. */
#if defined(configNUMBER_OF_CORES)
#define KERNEL_CORES configNUMBER_OF_CORES
#elif defined(configNUM_CORES)
#define KERNEL_CORES configNUM_CORES
#else
#define KERNEL_CORES 1
#endif
#include "../common/barefxt_cores.h"
#include "../common/barefxt_object_event.h"

#define SAMPLES BAREFXT_FREERTOS_SAMPLES
#define SAMPLE barefxt_freertos_sample
#include "../common/barefxt_sampling.h"

/* Tasks that exist at one time. Others are shown as one thread, "(more tasks)". 48 bytes each. */
#ifndef BAREFXT_FREERTOS_TASKS
#define BAREFXT_FREERTOS_TASKS 32
#endif

struct task {
  barefxt_thread thread;
  uint32_t priority;
  uint32_t awake_in;   /* the session that knows it to be ready or running; 0: none */
  uint32_t waiting_in; /* the session in which it blocked on an object; 0: none */
  uint32_t object;     /* the koid of that */
  uint64_t wait_begin;
  uint32_t delays_for; /* the period of the job that its next wakeup begins; 0: none */
  uint16_t job_in;     /* lower bits of the session in which its job began; 0: none */
  bool is_used;
#if BAREFXT_FREERTOS_STACKS
  barefxt_stack stack;
#endif
#if BAREFXT_FREERTOS_SAMPLES
  const void* stack_begin;
  size_t stack_bytes;
#endif
};

/* Place 0 is for tasks without one. */
static struct task tasks[BAREFXT_FREERTOS_TASKS + 1];
uint32_t barefxt_freertos_leaving;
/* For each CPU, the place of the task that leaves it for good. */
static uint32_t left[BAREFXT_MAX_CPUS];
static uint32_t process;

static struct task* task_at(uint32_t place) {
  return &tasks[place <= BAREFXT_FREERTOS_TASKS ? place : 0];
}

#if BAREFXT_FREERTOS_WAITS_LEVEL_ || BAREFXT_FREERTOS_SAMPLES
static struct task* running_task(void) {
  return task_at((uint32_t)uxTaskGetTaskNumber(xTaskGetCurrentTaskHandle()));
}
#endif

#define TRACES_ALL (BAREFXT_FREERTOS_ALL_LEVEL_ && BAREFXT_ENABLED(freertos))

/* The format takes priority 0 for an idle CPU, FreeRTOS for its lowest task. */
static uint8_t shown_priority(uint32_t priority) {
  return (uint8_t)(priority < 254 ? priority + 1 : 255);
}

/* ---- Tasks ---- */

/* "IDLE", or with the number of a core behind it. */
static bool is_idle(const char* name, uint32_t priority, const char* idle_name) {
  if (priority != 0) return false;
  for (; *idle_name != 0; ++idle_name, ++name)
    if (*name != *idle_name) return false;
  return *name == 0 || (name[0] >= '0' && name[0] <= '9' && name[1] == 0);
}

static void register_idle(barefxt_thread* thread, char core) {
  char name[] = "idle/0";
  if (core != 0) name[sizeof name - 2] = core;
  barefxt_thread_register(thread, 0, barefxt_koid_new(), name, 0);
}

static char last_of(const char* name) {
  char last = 0;
  for (; *name != 0; ++name) last = *name;
  if (last < '0' || last > '9') last = 0;
  return last;
}

/* `name` is the number of an interned string. */
static void instant_of_task(uint32_t name, const struct task* task) {
  koid_instant(BAREFXT_STRING("freertos"), name, BAREFXT_STRING("task"),
               (uint32_t)task->thread.koid);
}

uint32_t barefxt_freertos_task_created(const char* name, uint32_t priority, const char* idle_name,
                                       const void* block) {
  if (process == 0) {
    process = barefxt_koid_new();
    barefxt_process_register(process, "FreeRTOS");
    barefxt_thread_register(&tasks[0].thread, process, barefxt_koid_new(), "(more tasks)", 1);
  }
  uint32_t place = 1;
  while (place <= BAREFXT_FREERTOS_TASKS && tasks[place].is_used) ++place;
  if (place > BAREFXT_FREERTOS_TASKS) return 0;
  struct task* task = &tasks[place];
  task->is_used = true;
  task->priority = priority;
  task->awake_in = 0;
  task->waiting_in = 0;
  task->delays_for = 0;
  task->job_in = 0;
  if (is_idle(name, priority, idle_name))
    register_idle(&task->thread, last_of(name));
  else
    barefxt_thread_register(&task->thread, process, barefxt_koid_new(), name,
                            shown_priority(priority));
  if (TRACES_ALL)
    created_instant(BAREFXT_STRING("freertos"), BAREFXT_STRING("task created"),
                    BAREFXT_STRING("task"), (uint32_t)task->thread.koid, block);
  return place;
}

#if BAREFXT_FREERTOS_STACKS || BAREFXT_FREERTOS_SAMPLES
void barefxt_freertos_stack_created(uint32_t place, const void* first, const void* last) {
  if (place == 0) return;
  struct task* task = task_at(place);
  const size_t bytes = (uintptr_t)last - (uintptr_t)first + sizeof(StackType_t);
#if BAREFXT_FREERTOS_SAMPLES
  task->stack_begin = first;
  task->stack_bytes = bytes;
#endif
#if BAREFXT_FREERTOS_STACKS
  barefxt_stack_register(&task->stack, (uint32_t)task->thread.koid, (uintptr_t)first, bytes,
                         0xa5a5a5a5u);
#endif
}
#endif

#if BAREFXT_FREERTOS_STACKS
void barefxt_freertos_stack_reached(uint32_t place, const volatile void* top) {
  barefxt_stack_reached(&task_at(place)->stack, (uintptr_t)top);
}

void barefxt_freertos_scan_stacks(void) {
  taskENTER_CRITICAL();
  barefxt_stack_scan(64);
  taskEXIT_CRITICAL();
}
#endif

/* ---- Jobs ---- */

#if BAREFXT_FREERTOS_WAITS_LEVEL_

/* Product of 32 bits each; CPUs without such an instruction would call a library. */
static uint64_t product(uint32_t a, uint32_t b) {
  const uint32_t low = (a & 0xffff) * (b & 0xffff);
  const uint32_t cross = (a >> 16) * (b & 0xffff);
  const uint32_t other = (a & 0xffff) * (b >> 16);
  const uint32_t middle = (low >> 16) + (cross & 0xffff) + (other & 0xffff);
  const uint32_t high = (a >> 16) * (b >> 16) + (cross >> 16) + (other >> 16) + (middle >> 16);
  return (uint64_t)high << 32 | (middle << 16 | (low & 0xffff));
}

static barefxt_argument period_argument(uint32_t ticks) {
  const uint32_t tick_ns = 1000000000u / (uint32_t)configTICK_RATE_HZ;
  return barefxt_arg_u64(BAREFXT_TEXT("period_ns"), product(ticks, tick_ns));
}

static barefxt_text text_of(const char* name) {
  size_t bytes = 0;
  while (name[bytes] != 0) ++bytes;
  return BAREFXT_TEXT_INLINE(name, bytes);
}

/* Async events: a job begins while another task runs, and in the middle of durations of its own
 * task that go on through the call that delays. Words alone: the task's name, then the arguments.
 * `period` is in ticks; 0: without that argument. `flag`: the number of an argument's name, which
 * is true; 0: without it. */
static void job_event(barefxt_event_type type, const struct task* task, const char* name,
                      uint32_t period, uint32_t flag) {
  uint64_t words[1 + (configMAX_TASK_NAME_LEN + 7) / 8 + 4];
  uint32_t bytes = 0;
  for (; bytes < configMAX_TASK_NAME_LEN && name[bytes] != 0; ++bytes) {
    if (bytes % 8 == 0) words[1 + bytes / 8] = 0;
    ((char*)&words[1])[bytes] = name[bytes];
  }
  uint32_t count = (bytes + 7) / 8;
  uint32_t arguments = 0;
  if (period != 0) {
    const barefxt_argument argument = period_argument(period);
    words[++count] = argument.header;
    words[++count] = argument.value;
    ++arguments;
  }
  if (flag != 0) {
    words[++count] = barefxt_arg_bool(barefxt_text_interned(flag), true).header;
    ++arguments;
  }
  words[++count] = task->thread.koid;
  words[0] = event_header(type, BAREFXT_STRING("job"), BAREFXT_TEXT_INLINE(name, bytes).reference,
                          arguments, count);
  barefxt_write_event_words(&task->thread, words);
}

static void begin_job(struct task* task, const char* name, uint32_t period, bool overran) {
  task->job_in = (uint16_t)barefxt_session_number();
  job_event(BAREFXT_EVENT_ASYNC_BEGIN, task, name, period, overran ? BAREFXT_STRING("overrun") : 0);
}

/* A wait that began has its end, even if the category changed meanwhile. */
static void end_job(struct task* task, const char* name, bool abandoned) {
  if (task->job_in == 0 || task->job_in != (uint16_t)barefxt_session_number()) return;
  task->job_in = 0;
  job_event(BAREFXT_EVENT_ASYNC_END, task, name, 0, abandoned ? BAREFXT_STRING("abandoned") : 0);
}

void barefxt_freertos_delays_until(uint32_t place, const char* name, uint32_t period) {
  struct task* task = task_at(place);
  if (task == tasks) return;
  end_job(task, name, false);
  task->delays_for = BAREFXT_ENABLED(sched) ? period : 0;
}

void barefxt_freertos_overran(uint32_t place, const char* name, uint32_t period) {
  struct task* task = task_at(place);
  if (task == tasks) return;
  end_job(task, name, false);
  if (BAREFXT_ENABLED(sched)) begin_job(task, name, period, true);
}

void barefxt_freertos_timer_runs(const char* name, uint32_t period) {
  const barefxt_argument argument = period_argument(period);
  barefxt_event(BAREFXT_EVENT_INSTANT, NULL, BAREFXT_TEXT("job"),
                name == NULL ? BAREFXT_TEXT("timer") : text_of(name), 0, &argument, 1);
}

#else
static void end_job(struct task* task, const char* name, bool abandoned) {
  (void)task;
  (void)name;
  (void)abandoned;
}
#endif

static void give_back(uint32_t place) {
  if (place == 0 || place > BAREFXT_FREERTOS_TASKS) return;
#if BAREFXT_FREERTOS_STACKS
  barefxt_stack_unregister(&tasks[place].stack);
#endif
  barefxt_thread_unregister(&tasks[place].thread);
  tasks[place].is_used = false;
}

void barefxt_freertos_task_deleted(uint32_t place, const char* name, bool leaves_later) {
  end_job(task_at(place), name, true);
  if (TRACES_ALL) instant_of_task(BAREFXT_STRING("task deleted"), task_at(place));
  if (!leaves_later)
    give_back(place);
  else if (place != 0)
    ++barefxt_freertos_leaving;
}

void barefxt_freertos_switched_out(uint32_t place, barefxt_thread_state state) {
  struct task* task = task_at(place);
  if (state != BAREFXT_STATE_RUNNABLE) task->awake_in = 0;
  barefxt_switch_out(&task->thread, state);
  if (state == BAREFXT_STATE_DYING) left[barefxt_port_cpu() & (BAREFXT_MAX_CPUS - 1)] = place;
}

void barefxt_freertos_switched_in(uint32_t place, uint32_t priority) {
  struct task* task = task_at(place);
  if (task->priority != priority) {
    task->priority = priority;
    if (task->thread.process != 0)
      barefxt_thread_set_priority(&task->thread, shown_priority(priority));
  }
  task->awake_in = barefxt_session_number();
  barefxt_switch_in(&task->thread);
  uint32_t* gone = &left[barefxt_port_cpu() & (BAREFXT_MAX_CPUS - 1)];
  if (*gone == 0) return;
  give_back(*gone);
  *gone = 0;
  --barefxt_freertos_leaving;
}

/* The kernel moves tasks to the list of ready ones also when they are created, or get another
 * priority while they are ready. */
static void make_ready(struct task* task) {
  const uint32_t session = barefxt_session_number();
  if (task->awake_in == session) return;
  task->awake_in = session;
  const uint32_t interrupt = BAREFXT_FREERTOS_INTERRUPT();
  if (interrupt == 0)
    barefxt_thread_wakeup(&task->thread);
  else
    barefxt_thread_wakeup_in_interrupt(&task->thread, interrupt);
}

#if BAREFXT_FREERTOS_WAITS_LEVEL_
/* Apart, so that other wakeups save no registers for it. */
static __attribute__((noinline)) void make_ready_for_job(struct task* task, const char* name) {
  const uint32_t period = task->delays_for;
  task->delays_for = 0;
  begin_job(task, name, period, false);
  make_ready(task);
}
#endif

void barefxt_freertos_task_ready(uint32_t place, const char* name) {
  struct task* task = task_at(place);
#if BAREFXT_FREERTOS_WAITS_LEVEL_
  if (task->delays_for != 0) return make_ready_for_job(task, name);
#else
  (void)name;
#endif
  make_ready(task);
}

void barefxt_freertos_task_suspended(uint32_t place) {
  struct task* task = task_at(place);
  task->awake_in = 0;
  if (TRACES_ALL) instant_of_task(BAREFXT_STRING("task suspended"), task);
}

#if BAREFXT_FREERTOS_ALL_LEVEL_
void barefxt_freertos_priority(uint32_t place, uint32_t priority, barefxt_freertos_change change) {
  struct task* task = task_at(place);
  /* If a task has inherited a higher priority, the kernel sets the base alone: the switch that
   * brings it in looks at the priority in force. */
  if (!BAREFXT_ENABLED(freertos)) return;
  const uint32_t name = change == BAREFXT_FREERTOS_PRIORITY_SET ? BAREFXT_STRING("priority set")
                        : change == BAREFXT_FREERTOS_PRIORITY_INHERITED
                            ? BAREFXT_STRING("priority inherited")
                            : BAREFXT_STRING("priority disinherited");
  priority_instant(BAREFXT_STRING("freertos"), name, BAREFXT_STRING("task"),
                   (uint32_t)task->thread.koid,
                   barefxt_arg_u32(BAREFXT_TEXT("priority"), priority));
}
#endif

/* ---- Interrupts and ticks ---- */

#if BAREFXT_FREERTOS_SAMPLES
void barefxt_freertos_sample(barefxt_interrupted at) {
  const struct task* task = running_task();
  sample_within(at, task->stack_begin, task->stack_bytes);
}
#endif

#if BAREFXT_FREERTOS_SAMPLES > 1
/* The kernel counts ticks in tasks, too, when it resumes the scheduler. Before version 11 the tick
 * does not say that it enters. */
static void sample_in(uint32_t number) {
  if (number == BAREFXT_FREERTOS_TICK_INTERRUPT) sample_tick();
}

void barefxt_freertos_sample_enter(uint32_t number) {
  if (tskKERNEL_VERSION_MAJOR >= 11) sample_in(number);
}
#endif

void barefxt_freertos_interrupt_enter(uint32_t number) {
#ifdef BAREFXT_FREERTOS_TICK_INTERRUPT
  if (number == BAREFXT_FREERTOS_TICK_INTERRUPT)
    return barefxt_interrupt_enter(number, BAREFXT_TEXT("tick"));
#endif
  barefxt_interrupt_enter(number, BAREFXT_TEXT("interrupt"));
}

void barefxt_freertos_interrupt_exit(uint32_t number) { barefxt_interrupt_exit(number); }

void barefxt_freertos_tick(uint32_t ticks) {
  barefxt_clock_tick();
#if BAREFXT_FREERTOS_SAMPLES > 1
  if (tskKERNEL_VERSION_MAJOR < 11) sample_in(BAREFXT_FREERTOS_INTERRUPT());
#endif
#if BAREFXT_FREERTOS_TICKS
  BAREFXT_COUNTER(freertos, "ticks", 0, BAREFXT_ARG_U32("ticks", ticks));
#else
  (void)ticks;
#endif
}

/* ---- Objects. Names are numbers of interned strings. ---- */

#if BAREFXT_FREERTOS_WAITS_LEVEL_

static barefxt_object_type type_of(uint32_t kind) {
  switch (kind) {
    case BAREFXT_FREERTOS_QUEUE:
    case BAREFXT_FREERTOS_QUEUE_SET:
      return BAREFXT_OBJECT_QUEUE;
    case BAREFXT_FREERTOS_TIMER:
      return BAREFXT_OBJECT_TIMER;
    case BAREFXT_FREERTOS_STREAM_BUFFER:
      return BAREFXT_OBJECT_STREAM;
    default:
      return BAREFXT_OBJECT_EVENT;
  }
}

static uint32_t created_name(uint32_t kind) {
  switch (kind) {
    case BAREFXT_FREERTOS_MUTEX:
    case BAREFXT_FREERTOS_RECURSIVE_MUTEX:
      return BAREFXT_STRING("mutex created");
    case BAREFXT_FREERTOS_COUNTING_SEMAPHORE:
    case BAREFXT_FREERTOS_BINARY_SEMAPHORE:
      return BAREFXT_STRING("semaphore created");
    case BAREFXT_FREERTOS_TIMER:
      return BAREFXT_STRING("timer created");
    case BAREFXT_FREERTOS_EVENT_GROUP:
      return BAREFXT_STRING("event group created");
    case BAREFXT_FREERTOS_STREAM_BUFFER:
      return BAREFXT_STRING("stream buffer created");
    default:
      return BAREFXT_STRING("queue created");
  }
}

static uint32_t sent_name(uint32_t kind) {
  switch (kind) {
    case BAREFXT_FREERTOS_MUTEX:
    case BAREFXT_FREERTOS_RECURSIVE_MUTEX:
      return BAREFXT_STRING("mutex give");
    case BAREFXT_FREERTOS_COUNTING_SEMAPHORE:
    case BAREFXT_FREERTOS_BINARY_SEMAPHORE:
      return BAREFXT_STRING("semaphore give");
    case BAREFXT_FREERTOS_EVENT_GROUP:
      return BAREFXT_STRING("event group set");
    case BAREFXT_FREERTOS_STREAM_BUFFER:
      return BAREFXT_STRING("stream buffer send");
    default:
      return BAREFXT_STRING("queue send");
  }
}

static uint32_t received_name(uint32_t kind) {
  switch (kind) {
    case BAREFXT_FREERTOS_MUTEX:
    case BAREFXT_FREERTOS_RECURSIVE_MUTEX:
      return BAREFXT_STRING("mutex take");
    case BAREFXT_FREERTOS_COUNTING_SEMAPHORE:
    case BAREFXT_FREERTOS_BINARY_SEMAPHORE:
      return BAREFXT_STRING("semaphore take");
    case BAREFXT_FREERTOS_EVENT_GROUP:
      return BAREFXT_STRING("event group wait");
    case BAREFXT_FREERTOS_STREAM_BUFFER:
      return BAREFXT_STRING("stream buffer receive");
    case BAREFXT_FREERTOS_NOTIFICATION:
      return BAREFXT_STRING("notification wait");
    default:
      return BAREFXT_STRING("queue receive");
  }
}

static uint32_t name_of(uint32_t kind, barefxt_freertos_deed deed) {
  switch (deed) {
    case BAREFXT_FREERTOS_DELETE:
      return BAREFXT_STRING("object deleted");
    case BAREFXT_FREERTOS_SEND:
      return sent_name(kind);
    case BAREFXT_FREERTOS_PEEK:
      return BAREFXT_STRING("queue peek");
    case BAREFXT_FREERTOS_EXPIRE:
      return BAREFXT_STRING("timer expired");
    default:
      return received_name(kind);
  }
}

static void failed_instant(uint32_t kind, barefxt_freertos_deed deed, uint32_t object) {
  const barefxt_argument arguments[] = {
      barefxt_arg_koid(BAREFXT_TEXT("object"), object),
      barefxt_arg_bool(BAREFXT_TEXT("failed"), true),
  };
  barefxt_event(BAREFXT_EVENT_INSTANT, NULL, BAREFXT_TEXT("freertos"),
                barefxt_text_interned(name_of(kind, deed)), 0, arguments, 2);
}

uint32_t barefxt_freertos_object_created(uint32_t kind, const char* name, const void* address) {
  const uint32_t object = barefxt_koid_new();
  if (name != NULL) barefxt_object_register(object, type_of(kind), name);
  if (TRACES_ALL)
    created_instant(BAREFXT_STRING("freertos"), created_name(kind), BAREFXT_STRING("object"),
                    object, address);
  return object;
}

void barefxt_freertos_object_named(uint32_t kind, uint32_t object, const char* name) {
  barefxt_object_register(object, type_of(kind), name);
}

void barefxt_freertos_object_deleted(uint32_t kind, uint32_t object) {
  if (TRACES_ALL)
    object_instant(BAREFXT_STRING("freertos"), name_of(kind, BAREFXT_FREERTOS_DELETE), object);
  barefxt_object_unregister(object);
}

/* A wait is one record, when it is over, however often the task woke up and found nothing. A stream
 * buffer waits by way of a notification: only the outer wait is recorded. */
void barefxt_freertos_blocks(uint32_t kind, barefxt_freertos_deed deed, uint32_t object,
                             const void* holder) {
  struct task* task = running_task();
  const uint32_t session = barefxt_session_number();
  if (task->waiting_in == session && (task->object == object || object == 0)) return;
  task->waiting_in = session;
  task->object = object;
  task->wait_begin = barefxt_ticks();
  /* A task without a place is one of several, and no holder that could be named. */
  const uint32_t place =
      holder == NULL ? 0 : (uint32_t)uxTaskGetTaskNumber((TaskHandle_t)(uintptr_t)holder);
  wait_begins(&task->thread, BAREFXT_STRING("freertos"), name_of(kind, deed), object,
              place == 0 ? 0 : (uint32_t)task_at(place)->thread.koid);
}

/* Ends the running task's wait. False: it did not wait for this. */
static bool end_wait(uint32_t kind, barefxt_freertos_deed deed, uint32_t object, bool failed) {
  struct task* task = running_task();
  if (task->waiting_in != barefxt_session_number() || task->object != object) return false;
  task->waiting_in = 0;
  wait_ends(&task->thread, BAREFXT_STRING("freertos"), name_of(kind, deed), task->wait_begin,
            object, failed);
  return true;
}

static inline __attribute__((always_inline)) void record(uint32_t name, uint32_t object) {
  if (BAREFXT_FREERTOS_ALL_LEVEL_) object_instant(BAREFXT_STRING("freertos"), name, object);
}

void barefxt_freertos_at_once(uint32_t kind, barefxt_freertos_deed deed, uint32_t object,
                              bool failed) {
  if (!failed)
    record(name_of(kind, deed), object);
  else if (BAREFXT_FREERTOS_ALL_LEVEL_)
    failed_instant(kind, deed, object);
}

void barefxt_freertos_done(uint32_t kind, barefxt_freertos_deed deed, uint32_t object,
                           bool failed) {
  /* The running task takes its notification: an event of its own would add nothing. */
  if (!end_wait(kind, deed, object, failed) && object != 0)
    barefxt_freertos_at_once(kind, deed, object, failed);
}

static bool is_mutex(uint32_t kind) {
  return kind == BAREFXT_FREERTOS_MUTEX || kind == BAREFXT_FREERTOS_RECURSIVE_MUTEX;
}

/* As barefxt_lock_acquired and barefxt_lock_released, in registers alone. */
static void hold(barefxt_event_type type, uint32_t object) {
  barefxt_probe_event(type, BAREFXT_OWNER_CURRENT, BAREFXT_CATEGORY_AND_NAME("lock", "mutex"),
                      object, NULL, 0);
}

/* A function of its own, so that a task that did not wait saves no registers for it. The record of
 * a mutex's hold replaces the instant. */
static __attribute__((noinline)) void received_after_wait(uint32_t kind, uint32_t object) {
  const bool is_lock = is_mutex(kind) && BAREFXT_ENABLED(locks);
  if (BAREFXT_ENABLED(freertos) && !end_wait(kind, BAREFXT_FREERTOS_RECEIVE, object, false) &&
      !is_lock)
    barefxt_freertos_at_once(kind, BAREFXT_FREERTOS_RECEIVE, object, false);
  if (is_lock) hold(BAREFXT_EVENT_ASYNC_BEGIN, object);
}

void barefxt_freertos_received(uint32_t kind, uint32_t object, bool has_waited) {
  if (has_waited) return received_after_wait(kind, object);
  if (is_mutex(kind) && BAREFXT_ENABLED(locks)) return hold(BAREFXT_EVENT_ASYNC_BEGIN, object);
  if (BAREFXT_ENABLED(freertos)) record(received_name(kind), object);
}

/* A mutex is given without a wait. */
void barefxt_freertos_sent(uint32_t kind, uint32_t object, bool has_waited, const void* holder) {
  if (is_mutex(kind) && BAREFXT_ENABLED(locks)) {
    if (holder != NULL) hold(BAREFXT_EVENT_ASYNC_END, object);
    return;
  }
  if (!BAREFXT_ENABLED(freertos)) return;
  if (has_waited) return barefxt_freertos_done(kind, BAREFXT_FREERTOS_SEND, object, false);
  record(sent_name(kind), object);
}

void barefxt_freertos_notified(uint32_t place) {
  instant_of_task(BAREFXT_STRING("notify"), task_at(place));
}

#endif

/* ---- The heap, which the kernel's own lock is held in ---- */

#if BAREFXT_FREERTOS_ALL_LEVEL_
static size_t heap_bytes;

void barefxt_freertos_allocated(const void* block, size_t bytes, const void* caller) {
  barefxt_heap_alloc(block, bytes, caller);
  if (block == NULL) {
    BAREFXT_INSTANT(freertos_heap, "no memory", BAREFXT_ARG_U32("bytes", (uint32_t)bytes));
    return;
  }
  heap_bytes += bytes;
  BAREFXT_COUNTER(freertos_heap, "heap", 0, BAREFXT_ARG_U32("bytes", (uint32_t)heap_bytes));
}

void barefxt_freertos_freed(const void* block, size_t bytes, const void* caller) {
  barefxt_heap_free(block, caller);
  heap_bytes -= bytes < heap_bytes ? bytes : heap_bytes;
  BAREFXT_COUNTER(freertos_heap, "heap", 0, BAREFXT_ARG_U32("bytes", (uint32_t)heap_bytes));
}

#endif
#endif
