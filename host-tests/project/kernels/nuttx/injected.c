/* The causes of ../injected.h under NuttX, on one AArch64 CPU. Its mutexes pass no priority on. */
#define INJECTED_TURN_MS 12
#include "injected.h"

#include <nuttx/irq.h>
#include <nuttx/mutex.h>
#include <nuttx/sched_note.h>
#include <nuttx/wdog.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#include <barefxt_nuttx.h>

#include "ending.h"

#define DEVICE_INTERRUPT 7 /* that software asks for */

static uint64_t rings[131072]; /* 1 MiB */
static sem_t semaphores[INJECTED_SEMAPHORES];
static mutex_t locks[INJECTED_LOCKS];
static struct {
  const char* name;
  void (*entry)(unsigned);
} threads[INJECTED_THREADS];
static irqstate_t interrupts;

/* The board's configuration asks for it: see main.c. */
void board_crashdump(uintptr_t sp, struct tcb_s* tcb, const char* file, int line,
                     const char* message, void* regs) {
  end();
}

static void kernel_finish(void) {
  barefxt_stop();
  dump_and_end();
}

static void* run_thread(void* number) {
  const unsigned i = (unsigned)(uintptr_t)number;
  pthread_setname_np(pthread_self(), threads[i].name);
  threads[i].entry(i);
  return NULL;
}
static void kernel_create_thread(unsigned number, const char* name, unsigned level,
                                 void (*entry)(unsigned)) {
  pthread_t thread;
  pthread_attr_t attributes;
  const struct sched_param parameters = {.sched_priority = 100 + (int)level};
  threads[number].name = name;
  threads[number].entry = entry;
  pthread_attr_init(&attributes);
  pthread_attr_setschedpolicy(&attributes, SCHED_RR);
  pthread_attr_setschedparam(&attributes, &parameters);
  pthread_create(&thread, &attributes, run_thread, (void*)(uintptr_t)number);
}

static void kernel_up(unsigned semaphore) { sem_post(&semaphores[semaphore]); }
static void kernel_up_in_interrupt(unsigned semaphore) { kernel_up(semaphore); }
static void kernel_down(unsigned semaphore) { sem_wait(&semaphores[semaphore]); }
static void kernel_lock(unsigned lock) { nxmutex_lock(&locks[lock]); }
static void kernel_unlock(unsigned lock) { nxmutex_unlock(&locks[lock]); }
static void kernel_sleep_ms(unsigned milliseconds) { usleep(milliseconds * 1000); }

static void kernel_forbid_switches(void) { sched_lock(); }
static void kernel_allow_switches(void) { sched_unlock(); }
/* A call that wakes a thread would switch to it, masked or not. */
static void kernel_mask(void) {
  sched_lock();
  interrupts = up_irq_save();
}
static void kernel_unmask(void) {
  up_irq_restore(interrupts);
  sched_unlock();
}

/* ---- Interrupts, which do not nest ---- */

static void on_tick(wdparm_t watchdog) {
  wd_start((struct wdog_s*)watchdog, 1, on_tick, watchdog);
  injected_in_tick();
}
static int on_device(int number, void* context, void* unused) {
  injected_in_device();
  return 0;
}
static void kernel_ask_device(void) { up_trigger_irq(DEVICE_INTERRUPT, 1); }

int main(int count, char* arguments[]) {
  static struct wdog_s ticks;
  const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u, .target = "nuttx"};
  for (unsigned i = 0; i < INJECTED_SEMAPHORES; ++i) sem_init(&semaphores[i], 0, 0);
  for (unsigned i = 0; i < INJECTED_LOCKS; ++i) nxmutex_init(&locks[i]);
  irq_attach(DEVICE_INTERRUPT, on_device, NULL);
  up_enable_irq(DEVICE_INTERRUPT);
  barefxt_nuttx_register();
  if (barefxt_start(&config) != BAREFXT_OK) puts("did not start");
  wd_start(&ticks, 1, on_tick, (wdparm_t)&ticks);
  injected_create((uint32_t)(barefxt_ticks_per_second() / 1000));
  for (;;) pause();
}
