/* A sensor, a worker and a logger under NuttX. Sensor and logger share a bus, whose mutex does not
 * pass priorities on: the worker keeps the logger off the CPU while the sensor waits for it.
 *
 * Ahead of the dump goes a line with what the application counted.
 */
#include <nuttx/mutex.h>
#include <nuttx/sched_note.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#include <barefxt_nuttx.h>

#include "ending.h"

static uint64_t rings[16384]; /* 128 KiB */
static mutex_t bus = NXMUTEX_INITIALIZER;
static sem_t samples = SEM_INITIALIZER(0);
static sem_t jobs = SEM_INITIALIZER(0);
static unsigned waits;

/* See docs/how-to/crash.md. */
void board_crashdump(uintptr_t sp, struct tcb_s* tcb, const char* file, int line,
                     const char* message, void* regs) {
  barefxt_close();
  dump_and_end();
}

/* Time in which the caller does not run is not included: QEMU counts instructions. */
static void work_us(unsigned microseconds) {
  for (unsigned loops = microseconds * 5; loops != 0; --loops) __asm__ volatile("nop");
}

static void take_bus(void) {
  if (nxmutex_is_locked(&bus)) ++waits;
  nxmutex_lock(&bus);
}

static void* sense(void* unused) {
  pthread_setname_np(pthread_self(), "sensor");
  for (int round = 0; round < 40; ++round) {
    sem_wait(&samples);
    take_bus();
    work_us(500);
    nxmutex_unlock(&bus);
  }
  return NULL;
}

static void* work(void* unused) {
  pthread_setname_np(pthread_self(), "worker");
  for (unsigned round = 0;; ++round) {
    sem_wait(&jobs);
#ifdef FAULT
    if (round == 10) __builtin_trap();
#endif
    work_us(3000);
  }
  return NULL;
}

/* Hands out work while it holds the bus. */
static void* log_all(void* unused) {
  pthread_setname_np(pthread_self(), "logger");
  for (;;) {
    take_bus();
    work_us(500);
    sem_post(&samples);
    sem_post(&jobs);
    work_us(500);
    nxmutex_unlock(&bus);
    usleep(5000);
  }
  return NULL;
}

static pthread_t run(void* (*entry)(void*), int priority) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  const struct sched_param parameters = {.sched_priority = priority};
  pthread_attr_setschedparam(&attributes, &parameters);
  pthread_create(&thread, &attributes, entry, NULL);
  return thread;
}

int main(int count, char* arguments[]) {
  const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u, .target = "nuttx"};
  barefxt_nuttx_register();
  if (barefxt_start(&config) != BAREFXT_OK) puts("did not start");
  const pthread_t sensor = run(sense, 150);
  run(work, 140);
  run(log_all, 130);
  pthread_join(sensor, NULL);
  barefxt_stop();
  printf("counted: bus_waits=%u\n", waits);
  fflush(stdout);
  usleep(20000);
  dump_and_end();
  return 0;
}
