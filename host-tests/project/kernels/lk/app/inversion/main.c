/* A sensor, a worker and a logger under LK. Sensor and logger share a bus: LK's mutexes do not pass
 * priorities on, so the worker keeps the logger off the CPU while the sensor waits for it.
 *
 * Ahead of the dump goes a line with what the kernel and the application counted.
 */
#include <app.h>
#include <kernel/mutex.h>
#include <kernel/semaphore.h>
#include <kernel/thread.h>
#include <platform.h>
#include <platform/debug.h>
#include <stdio.h>

#include <barefxt_lk.h>

static uint64_t rings[10240]; /* 80 KiB */
static mutex_t bus = MUTEX_INITIAL_VALUE(bus);
static semaphore_t samples = SEMAPHORE_INITIAL_VALUE(samples, 0);
static semaphore_t jobs = SEMAPHORE_INITIAL_VALUE(jobs, 0);
static unsigned waits;

static void put(void* context, const uint8_t* bytes, size_t count) {
  (void)context;
  for (size_t i = 0; i < count; ++i) platform_dputc((char)bytes[i]);
}

/* Panics and faults end here, see docs/how-to/crash.md. */
void __real_platform_halt(platform_halt_action action, platform_halt_reason reason);
void __wrap_platform_halt(platform_halt_action action, platform_halt_reason reason);
void __wrap_platform_halt(platform_halt_action action, platform_halt_reason reason) {
  barefxt_close();
  if (reason == HALT_REASON_SW_PANIC) barefxt_dump(&(barefxt_writer){put, NULL}, BAREFXT_DUMP_TEXT);
  __real_platform_halt(HALT_ACTION_SHUTDOWN, reason);
}

/* Time in which the caller does not run is not included: QEMU counts instructions. */
static void work_us(unsigned microseconds) {
  for (unsigned loops = microseconds * 5; loops != 0; --loops) __asm__ volatile("nop");
}

static void take_bus(void) {
  if (bus.holder != NULL) ++waits;
  mutex_acquire(&bus);
}

static int sensor(void* unused) {
  for (int round = 0; round < 40; ++round) {
    sem_wait(&samples);
    take_bus();
    work_us(500);
    mutex_release(&bus);
  }
  return 0;
}

static int worker(void* unused) {
  for (unsigned round = 0;; ++round) {
    sem_wait(&jobs);
#ifdef FAULT
    if (round == 10) panic("the worker is broken\n");
#endif
    work_us(3000);
  }
  return 0;
}

/* Hands out work while it holds the bus. */
static int logger(void* unused) {
  for (;;) {
    take_bus();
    work_us(500);
    sem_post(&samples, true);
    sem_post(&jobs, true);
    work_us(500);
    mutex_release(&bus);
    thread_sleep(5);
  }
  return 0;
}

static void run(const struct app_descriptor* app, void* unused) {
  const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u, .target = "lk"};
  thread_t* const sensing =
      thread_create("sensor", sensor, NULL, DEFAULT_PRIORITY + 6, DEFAULT_STACK_SIZE);
  thread_t* const working =
      thread_create("worker", worker, NULL, DEFAULT_PRIORITY + 4, DEFAULT_STACK_SIZE);
  thread_t* const logging =
      thread_create("logger", logger, NULL, DEFAULT_PRIORITY + 2, DEFAULT_STACK_SIZE);
  thread_set_priority(DEFAULT_PRIORITY + 8);
  arch_disable_ints();
  if (barefxt_start(&config) != BAREFXT_OK) printf("did not start\n");
  const struct thread_stats before = thread_stats[0];
  arch_enable_ints();
  thread_resume(logging);
  thread_resume(working);
  thread_resume(sensing);
  thread_join(sensing, NULL, INFINITE_TIME);
  arch_disable_ints();
  const struct thread_stats after = thread_stats[0];
  barefxt_stop();
  arch_enable_ints();
  printf("counted: bus_waits=%u switches=%lu interrupts=%lu\n", waits,
         after.context_switches - before.context_switches, after.interrupts - before.interrupts);
  barefxt_dump(&(barefxt_writer){put, NULL}, BAREFXT_DUMP_TEXT);
  platform_halt(HALT_ACTION_SHUTDOWN, HALT_REASON_SW_RESET);
}

APP_START(inversion).entry = run, APP_END
