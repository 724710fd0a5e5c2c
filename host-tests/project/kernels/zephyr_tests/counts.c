/* Traces an application of Zephyr's, and counts the calls of the kernel's hooks by itself: ahead of
 * the dump goes a line with the counts. The linker leads the hooks here first.
 *
 * Recording lasts as long as main, or COUNTS_MILLISECONDS for an application whose threads never
 * end.
 */
#include <zephyr/device.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/init.h>
#include <zephyr/kernel.h>
#include <zephyr/kernel_structs.h>
#include <zephyr/sys/atomic.h>
#include <zephyr/sys/printk.h>

#include <barefxt_port.h>
#include <barefxt_zephyr.h>

#ifndef COUNTS_STACK
#define COUNTS_STACK 4096
#endif

static uint64_t rings[COUNTS_BYTES / 8];
static atomic_t is_counting, switches, interrupts, created, priorities;
static struct k_thread* last[BAREFXT_MAX_CPUS];

static void count(atomic_t* what) {
  if (atomic_get(&is_counting)) atomic_inc(what);
}

/* Ahead of the first report a CPU runs a thread that nobody knows. */
void __real_sys_trace_k_thread_switched_out(void);
void __wrap_sys_trace_k_thread_switched_out(void) {
  struct k_thread** const before = &last[arch_curr_cpu()->id];
  if (*before == NULL) *before = arch_curr_cpu()->current;
  __real_sys_trace_k_thread_switched_out();
}

/* The kernel may report twice that the same thread comes in. */
void __real_sys_trace_k_thread_switched_in(void);
void __wrap_sys_trace_k_thread_switched_in(void) {
  const unsigned int key = arch_irq_lock();
  struct k_thread* const thread = arch_curr_cpu()->current;
  struct k_thread** const before = &last[arch_curr_cpu()->id];
  if (*before != thread) count(&switches);
  *before = thread;
  __real_sys_trace_k_thread_switched_in();
  arch_irq_unlock(key);
}

void __real_sys_trace_isr_enter(void);
void __wrap_sys_trace_isr_enter(void) {
  count(&interrupts);
  __real_sys_trace_isr_enter();
}

void __real_sys_trace_thread_create(struct k_thread* thread);
void __wrap_sys_trace_thread_create(struct k_thread* thread) {
  count(&created);
  __real_sys_trace_thread_create(thread);
}

void __real_sys_trace_thread_sched_priority_set(struct k_thread* thread, int priority);
void __wrap_sys_trace_thread_sched_priority_set(struct k_thread* thread, int priority) {
  count(&priorities);
  __real_sys_trace_thread_sched_priority_set(thread, priority);
}

static void put(void* context, const uint8_t* bytes, size_t count) {
  (void)context;
  for (size_t i = 0; i < count; ++i)
    uart_poll_out(DEVICE_DT_GET(DT_CHOSEN(zephyr_console)), bytes[i]);
}

static void start(void) {
#ifdef CONFIG_X86_64
  /* The counter's rate is the machine's. */
  const uint64_t before = barefxt_port_counter();
  k_busy_wait(100000);
  barefxt_x86_64_tsc_hertz = (barefxt_port_counter() - before) * 10;
#endif
  const barefxt_config config = {.memory = rings,
                                 .bytes = sizeof rings,
                                 .cpus = BAREFXT_MAX_CPUS,
                                 .categories = ~0u,
                                 .target = CONFIG_BOARD};
  const int status = barefxt_start(&config);
  if (status != BAREFXT_OK) printk("barefxt_start: %d\n", status);
  for (unsigned cpu = 0; cpu < BAREFXT_MAX_CPUS; ++cpu) last[cpu] = NULL;
  atomic_set(&is_counting, 1);
}

static void stop(void) {
  atomic_set(&is_counting, 0);
  barefxt_stop();
  printk("counted: switches=%d interrupts=%d created=%d priorities=%d\n", (int)switches,
         (int)interrupts, (int)created, (int)priorities);
  barefxt_dump(&(barefxt_writer){put, NULL}, BAREFXT_DUMP_TEXT);
  printk("\ndumped\n");
}

#ifdef COUNTS_MILLISECONDS
static void watch(void* a, void* b, void* c) {
  start();
  k_msleep(COUNTS_MILLISECONDS);
  k_sched_lock();
  stop();
  for (;;) {
  }
}
K_THREAD_DEFINE(watching, COUNTS_STACK, watch, NULL, NULL, NULL, K_HIGHEST_THREAD_PRIO, 0, 0);
#else
int __real_main(void);
int __wrap_main(void) {
  start();
  __real_main();
  k_sched_lock();
  stop();
  for (;;) {
  }
}
#endif
