/* The causes of ../injected.h under LK, on two AArch64 CPUs. Its mutexes pass no priority on. */
#define INJECTED_TWO_CPUS
#define INJECTED_TURN_MS 60
#include "injected.h"

#include <app.h>
#include <dev/interrupt/arm_gic.h>
#include <kernel/mp.h>
#include <kernel/mutex.h>
#include <kernel/semaphore.h>
#include <kernel/thread.h>
#include <kernel/timer.h>
#include <platform.h>
#include <platform/debug.h>
#include <platform/interrupts.h>

#include <barefxt_lk.h>

#define DEVICE_INTERRUPT 7 /* that software asks for */

static uint64_t rings[262144]; /* 2 MiB */
static semaphore_t semaphores[INJECTED_SEMAPHORES];
static mutex_t locks[INJECTED_LOCKS];
static thread_t* threads[INJECTED_THREADS];
static void (*entries[INJECTED_THREADS])(unsigned);
static bool switches_are_off;
static bool has_woken; /* the handler */

static void put(void* context, const uint8_t* bytes, size_t count) {
  (void)context;
  for (size_t i = 0; i < count; ++i) platform_dputc((char)bytes[i]);
}

/* The module's flags wrap it for the other application. */
void __real_platform_halt(platform_halt_action action, platform_halt_reason reason);

static void kernel_finish(void) {
  arch_disable_ints();
  barefxt_stop();
  arch_enable_ints();
  barefxt_dump(&(barefxt_writer){put, NULL}, BAREFXT_DUMP_TEXT);
  __real_platform_halt(HALT_ACTION_SHUTDOWN, HALT_REASON_SW_RESET);
}

static int run_thread(void* number) {
  entries[(uintptr_t)number]((unsigned)(uintptr_t)number);
  return 0;
}
static void kernel_create_thread(unsigned number, const char* name, unsigned level,
                                 void (*entry)(unsigned)) {
  entries[number] = entry;
  threads[number] = thread_create(name, run_thread, (void*)(uintptr_t)number,
                                  DEFAULT_PRIORITY + (int)level, DEFAULT_STACK_SIZE);
  thread_set_pinned_cpu(threads[number], 0);
  thread_resume(threads[number]);
}

/* A thread that is woken has the next turn at once, even if the other is of its own priority: peer
 * keeps its turn. */
static void kernel_up(unsigned semaphore) {
  sem_post(&semaphores[semaphore], !switches_are_off && get_current_thread() != threads[PEER]);
}
static void kernel_up_in_interrupt(unsigned semaphore) {
  sem_post(&semaphores[semaphore], false);
  has_woken = true;
}
static void kernel_down(unsigned semaphore) { sem_wait(&semaphores[semaphore]); }
static void kernel_lock(unsigned lock) { mutex_acquire(&locks[lock]); }
static void kernel_unlock(unsigned lock) { mutex_release(&locks[lock]); }
static void kernel_sleep_ms(unsigned milliseconds) { thread_sleep(milliseconds); }

static void kernel_forbid_switches(void) { switches_are_off = true; }
static void kernel_allow_switches(void) {
  switches_are_off = false;
  thread_yield();
}
static void kernel_mask(void) {
  arch_disable_ints();
  switches_are_off = true;
}
static void kernel_unmask(void) {
  arch_enable_ints();
  kernel_allow_switches();
}

static void kernel_move_victim(unsigned cpu) { thread_set_pinned_cpu(threads[VICTIM], (int)cpu); }
/* The kernel sends none to CPUs that run real-time threads. */
static void kernel_hold_back(void) { mp_set_cpu_realtime(1); }
static void kernel_tell(void) {
  mp_set_cpu_non_realtime(1);
  mp_reschedule(1u << 1, 0);
}

/* ---- Interrupts, which do not nest ---- */

static enum handler_return handled(void (*handler)(void)) {
  has_woken = false;
  handler();
  return has_woken ? INT_RESCHEDULE : INT_NO_RESCHEDULE;
}
static enum handler_return on_tick(struct timer* timer, lk_time_t now, void* unused) {
  return handled(injected_in_tick);
}
static enum handler_return on_device(void* unused) { return handled(injected_in_device); }
static void kernel_ask_device(void) { arm_gic_sgi(DEVICE_INTERRUPT, 0, 1); }

static void run(const struct app_descriptor* app, void* unused) {
  static timer_t ticks = TIMER_INITIAL_VALUE(ticks);
  const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 2, .categories = ~0u, .target = "lk"};
  for (unsigned i = 0; i < INJECTED_SEMAPHORES; ++i) sem_init(&semaphores[i], 0);
  for (unsigned i = 0; i < INJECTED_LOCKS; ++i) mutex_init(&locks[i]);
  thread_set_priority(HIGHEST_PRIORITY);
  thread_set_pinned_cpu(get_current_thread(), 0);
  thread_yield();
  register_int_handler(DEVICE_INTERRUPT, on_device, NULL);
  timer_set_periodic(&ticks, 1, on_tick, NULL);
  arch_disable_ints();
  barefxt_start(&config);
  arch_enable_ints();
  injected_create(barefxt_ticks_per_second() / 1000);
}

APP_START(inversion).entry = run, APP_END
