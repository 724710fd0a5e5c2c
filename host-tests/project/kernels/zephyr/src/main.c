/* A sensor, a worker and a logger under Zephyr. Sensor and logger share a bus, whose mutex does not
 * pass priorities on (CONFIG_PRIORITY_CEILING): the worker keeps the logger off the CPU while the
 * sensor waits for it. The logger allocates a message a round, which the worker frees, and the
 * main thread keeps a block.
 *
 * Ahead of the dump goes a line with what the application counted.
 */
#include <stdlib.h>
#include <version.h>
#include <zephyr/device.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/fatal.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#include <barefxt_zephyr.h>

static uint64_t rings[10240]; /* 80 KiB */
K_MUTEX_DEFINE(bus);
K_SEM_DEFINE(samples, 0, 1);
K_SEM_DEFINE(jobs, 0, 1);
K_SEM_DEFINE(done, 0, 1);
K_FIFO_DEFINE(messages);
K_HEAP_DEFINE(pool, 512);
static unsigned waits, blocks;

static void put(void* context, const uint8_t* bytes, size_t count) {
  (void)context;
  for (size_t i = 0; i < count; ++i)
    uart_poll_out(DEVICE_DT_GET(DT_CHOSEN(zephyr_console)), bytes[i]);
}

/* Ends QEMU. */
static void end(void) {
  *(volatile uint32_t*)0x100000 = 0x5555;
  for (;;) {
  }
}

/* See docs/how-to/crash.md. */
#if KERNEL_VERSION_NUMBER >= 0x30700
void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf* esf) {
#else
void k_sys_fatal_error_handler(unsigned int reason, const z_arch_esf_t* esf) {
#endif
  (void)reason;
  (void)esf;
  barefxt_close();
  barefxt_dump(&(barefxt_writer){put, NULL}, BAREFXT_DUMP_TEXT);
  end();
}

/* Time in which the caller does not run is not included: QEMU counts instructions. */
static void work_us(unsigned microseconds) {
  for (unsigned loops = microseconds * 5; loops != 0; --loops) __asm__ volatile("nop");
}

static void take_bus(void) {
  if (bus.owner != NULL) ++waits;
  k_mutex_lock(&bus, K_FOREVER);
}

static void* allocated(void* block) {
  if (block != NULL) ++blocks;
  return block;
}

static void sense(void* a, void* b, void* c) {
  for (int round = 0; round < 40; ++round) {
    k_sem_take(&samples, K_FOREVER);
    take_bus();
    work_us(500);
    k_mutex_unlock(&bus);
  }
  k_sem_give(&done);
}

static void work(void* a, void* b, void* c) {
  for (unsigned round = 0;; ++round) {
    k_sem_take(&jobs, K_FOREVER);
#ifdef FAULT
    if (round == 10) __builtin_trap();
#endif
    work_us(3000);
    k_free(k_fifo_get(&messages, K_NO_WAIT));
  }
}

/* Hands out work while it holds the bus. */
static void log_all(void* a, void* b, void* c) {
  for (;;) {
    take_bus();
    work_us(500);
    /* The kernel's word for the queue is the first. */
    k_fifo_put(&messages, allocated(k_malloc(16)));
    k_sem_give(&samples);
    k_sem_give(&jobs);
    work_us(500);
    k_mutex_unlock(&bus);
    k_msleep(5);
  }
}

K_THREAD_STACK_ARRAY_DEFINE(stacks, 3, 4096);
static struct k_thread threads[3];

static void run(int index, const char* name, k_thread_entry_t entry) {
  k_thread_create(&threads[index], stacks[index], K_THREAD_STACK_SIZEOF(stacks[index]), entry, NULL,
                  NULL, NULL, index + 2, 0, K_NO_WAIT);
  k_thread_name_set(&threads[index], name);
}

int main(void) {
  const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u, .target = "zephyr"};
  k_thread_priority_set(k_current_get(), 1);
  if (barefxt_start(&config) != BAREFXT_OK) printk("did not start\n");
  run(0, "sensor", sense);
  run(1, "worker", work);
  run(2, "logger", log_all);
  void* const block = allocated(k_heap_alloc(&pool, 100, K_NO_WAIT));
  const void* kept = allocated(malloc(200));
  k_sem_take(&done, K_FOREVER);
  k_heap_free(&pool, block);
  barefxt_stop();
  printk("counted: bus_waits=%u blocks=%u kept_bytes=%u\n", waits, blocks, kept == NULL ? 0 : 200);
  barefxt_dump(&(barefxt_writer){put, NULL}, BAREFXT_DUMP_TEXT);
  end();
  return 0;
}
